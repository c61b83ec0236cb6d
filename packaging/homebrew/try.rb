# Installs a formula from the sources in a folder and runs its test, with the few methods of Homebrew that it calls in place
# of Homebrew itself.
#
#   ruby packaging/homebrew/try.rb FORMULA SOURCES PREFIX

require "fileutils"
require "open3"
require "pathname"

class Formula
  class << self
    attr_reader :test_block

    %i[desc homepage url sha256 license head depends_on].each do |name|
      define_method(name) { |*values, **options| }
    end

    def test(&block)
      @test_block = block
    end
  end

  def initialize(prefix)
    @prefix = Pathname(prefix).expand_path
  end

  def bin
    @prefix/"bin"
  end

  def man6
    @prefix/"share/man/man6"
  end

  def std_cargo_args
    ["--locked", "--root=#{@prefix}", "--path=."]
  end

  def system(*command)
    Kernel.system(*command.map(&:to_s)) || abort("failed: #{command.join(" ")}")
  end

  def shell_output(command)
    output, status = Open3.capture2(command)
    status.success? || abort("failed: #{command}")
    output
  end

  def generate_completions_from_executable(*command)
    files = {
      "bash" => "etc/bash_completion.d/lucena",
      "zsh" => "share/zsh/site-functions/_lucena",
      "fish" => "share/fish/vendor_completions.d/lucena.fish",
    }
    files.each do |shell, path|
      FileUtils.mkdir_p((@prefix/path).dirname)
      File.write(@prefix/path, shell_output([*command, shell].join(" ")))
    end
  end

  def assert_match(expected, text)
    text.include?(expected) || abort("no #{expected} in #{text}")
  end
end

file, sources, prefix = ARGV
require_relative File.expand_path(file)
formula = Lucena.new(prefix)
Dir.chdir(sources) { formula.install }
formula.instance_eval(&Lucena.test_block)
