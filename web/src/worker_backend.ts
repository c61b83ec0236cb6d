import type { Backend } from './backend';

/** The engine as WebAssembly in a Worker. */
export class WorkerBackend {}
export interface WorkerBackend extends Backend {}
