# A Homebrew formula. tools/packages.sh fills in the owner, the version and the checksum of a release.
class Lucena < Formula
  desc "UCI chess engine that can explain itself"
  homepage "https://github.com/OWNER/lucena"
  url "https://github.com/OWNER/lucena/releases/download/v0.0.0/lucena-0.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-3.0-or-later"
  head "https://github.com/OWNER/lucena.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    system bin/"lucena", "man", man6
    generate_completions_from_executable(bin/"lucena", "completions")
  end

  test do
    assert_match "bestmove", shell_output("#{bin}/lucena 'go depth 5' quit")
  end
end
