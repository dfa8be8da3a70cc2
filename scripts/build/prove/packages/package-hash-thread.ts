/** Worker thread that computes hashes of packages; package-hash.ts starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Installed, readHashes } from './package-hash.ts'

parentPort!.postMessage(readHashes(workerData as readonly Installed[]))
