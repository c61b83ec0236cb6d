/** What wasm-bindgen writes beside the program (tools/wasm.sh). */
export default function init(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
export function set_data(book: Uint8Array, tables: Uint8Array): void;
export function answer(method: string, request: string): string;
export function search(request: string): void;
export function review(pgn: Uint8Array, nodes: number | undefined, send: (json: string) => void): void;
