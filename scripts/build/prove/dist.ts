/**
 * Binds the delivered files to the proof: `proof.json` has a row with the hash of each file, read back from the disk.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, throwAll } from '../errors.ts'
import { programIn } from '../generate/program-file.ts'
import { unstamped } from '../stamp.ts'
import { fileHash } from './packages/tree-hash.ts'
import type { Proof } from './prove.ts'

/** One file of `dist/<profile>/`. */
export interface DeliveredFile {
  /**
   * Purpose of the file: `bundle`, `part of <bundle>`, `types of <bundle>`, `manifest`, `account`, `executable`, or the
   * feature that the asset belongs to.
   */
  readonly owner: string
  readonly bytes: number
  readonly sha256: string
}

/** `proof.json`. */
export interface ProofFile {
  readonly profile: string
  /** Whether everything that was built was started once before it was delivered. */
  readonly started: boolean
  readonly bundles: readonly Proof[]
  /** Every other file of the folder. */
  readonly files: Readonly<Record<string, DeliveredFile>>
}

const PROOF = 'proof.json'

/**
 * Writes `proof.json` into a folder that already contains all other files. `owners` maps each file name to its purpose.
 * @throws SvcError `ERR_PROOF_DIST` if the folder contains a file without an owner, or an unproven bundle
 */
export function seal(
  folder: string,
  profile: string,
  bundles: readonly Proof[],
  owners: Readonly<Record<string, string>>,
  started: boolean,
): void {
  const files: Record<string, DeliveredFile> = {}
  for (const [name, owner] of Object.entries(owners).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const file = join(folder, name)
    files[name] = { owner, bytes: statSync(file).size, sha256: fileHash(file) }
  }
  writeFileSync(
    join(folder, PROOF),
    `${JSON.stringify({ profile, started, bundles, files } satisfies ProofFile, null, 2)}\n`,
  )
  throwAll(`Delivery of ${profile}`, checkDist(folder))
}

function isAsProven(file: string, { bytes, sha256: wanted }: DeliveredFile): boolean {
  return statSync(file).size === bytes && fileHash(file) === wanted
}

/** Whether a folder has a file, byte for byte as its `proof.json` says. */
export function isDelivered(folder: string, name: string): boolean {
  if (![PROOF, name].every((one) => existsSync(join(folder, one)))) return false
  const row = (JSON.parse(readFileSync(join(folder, PROOF), 'utf8')) as ProofFile).files[name]
  return row !== undefined && isAsProven(join(folder, name), row)
}

/** Checks that a folder contains exactly the files of its `proof.json`, byte for byte. */
export function checkDist(folder: string): Problem[] {
  const { bundles, files } = JSON.parse(readFileSync(join(folder, PROOF), 'utf8')) as ProofFile
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== PROOF)
  const problems: Problem[] = []
  const fail = (message: string): void =>
    void problems.push({ code: 'ERR_PROOF_DIST', message, hint: 'Build it anew; what lies there was not proven.' })
  for (const entry of entries) {
    const row = files[entry.name]
    if (row === undefined || !entry.isFile()) fail(`${entry.name} has no row in ${PROOF}.`)
    // The size is compared first, so that a file of the wrong size is not read.
    else if (!isAsProven(join(folder, entry.name), row)) {
      fail(`${entry.name} is not the file that was proven.`)
    }
  }
  const names = new Set(entries.map(({ name }) => name))
  for (const name of new Set([...Object.keys(files), ...bundles.flatMap(({ parts }) => Object.keys(parts))]))
    if (!names.has(name)) fail(`${name} is missing.`)
  const proven = new Map(bundles.map((bundle) => [bundle.file, bundle.sha256]))
  const programs = new Set(bundles.flatMap(({ file, options }) => (options.entry === 'main' ? [file] : [])))
  const parts = new Map(
    bundles.flatMap(({ file, parts }) => Object.entries(parts).map(([name, part]) => [name, { file, ...part }])),
  )
  for (const [name, { owner }] of Object.entries(files)) {
    if (owner === 'executable' && !proven.has(name)) fail(`${name} carries a bundle that was not proven.`)
    if (owner.startsWith('part of ') && names.has(name)) {
      const part = parts.get(name)
      if (part === undefined || owner !== `part of ${part.file}` || fileHash(join(folder, name)) !== part.sha256)
        fail(`${name} is not the part that was proven.`)
    }
    if (owner !== 'bundle' || !names.has(name)) continue
    const file = readFileSync(join(folder, name), 'utf8')
    const content = unstamped(programs.has(name) ? (programIn(file) ?? '') : file)
    if (content === undefined || sha256(content) !== proven.get(name))
      fail(`${name} is not the bundle that was proven.`)
  }
  return problems
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
