/** What a single executable carries beside its program: native binaries, and the bill of all that is in it. */

/** What a build embeds: each binary with its hash, and why one that could be there is not. */
export interface EmbeddedBinaries {
  /** Whether this process is a single executable. */
  readonly executable: boolean
  /** Whether V8 took the code cache of the executable; where it did not, every start compiles anew and takes half as long again. */
  readonly codeCache?: 'used' | 'rejected'
  readonly binaries: readonly { readonly name: string; readonly sha256: string | null; readonly note?: string }[]
}

/** Reads the account that the executable carries; there is none in a script. */
export function embeddedBinaries(): EmbeddedBinaries {
  const sea = loadSea()
  if (sea === undefined || !sea.isSea()) return { executable: false, binaries: [] }
  return {
    executable: true,
    codeCache: typeof svcCodeCache === 'undefined' ? 'rejected' : svcCodeCache,
    binaries: JSON.parse(sea.getAsset('binaries.json', 'utf8')) as EmbeddedBinaries['binaries'],
  }
}

/** The bill of materials (CycloneDX) that the executable carries; a script carries none. */
export function embeddedSbom(): string | undefined {
  const sea = loadSea()
  return sea?.isSea() === true ? sea.getAsset('sbom.json', 'utf8') : undefined
}

/** The executable's boot says it. */
declare const svcCodeCache: 'used' | 'rejected' | undefined

interface Sea {
  isSea(): boolean
  getAsset(name: string, encoding: 'utf8'): string
}

/** `node:sea` came with Node 20.12; before that nothing can be embedded. */
function loadSea(): Sea | undefined {
  try {
    return process.getBuiltinModule?.('node:sea') as Sea | undefined
  } catch {
    return undefined
  }
}
