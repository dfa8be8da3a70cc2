/** The assets of a single executable: native binaries and a bill of materials. */

/** What a build embeds: each binary with its hash, and why one that could be there is not. */
export interface EmbeddedBinaries {
  /** Whether this process is a single executable. */
  readonly executable: boolean
  /**
   * Whether V8 took the code cache that the executable carries. If not, every start compiles anew and takes half as long
   * again. `none`: the executable carries none, since the program needs settings to start, or the starts of the build
   * did not agree on one. A script has no such member.
   */
  readonly codeCache?: 'used' | 'rejected' | 'none'
  readonly binaries: readonly {
    readonly name: string
    readonly sha256: string | null
    readonly package?: string
    readonly note?: string
  }[]
}

/** Reads the account of the executable; returns undefined in a script. */
export function embeddedBinaries(): EmbeddedBinaries {
  const codeCache = typeof svcCodeCache === 'undefined' ? undefined : svcCodeCache
  const told = codeCache === undefined ? {} : { codeCache }
  const sea = loadSea()
  if (sea === undefined || !sea.isSea()) return { executable: false, ...told, binaries: [] }
  return {
    executable: true,
    ...told,
    binaries: JSON.parse(sea.getAsset('binaries.json', 'utf8')) as EmbeddedBinaries['binaries'],
  }
}

/** The bill of materials (CycloneDX) of the executable; undefined in a script. */
export function embeddedSbom(): string | undefined {
  const sea = loadSea()
  return sea?.isSea() === true ? sea.getAsset('sbom.json', 'utf8') : undefined
}

/** What starts the program says it. */
declare const svcCodeCache: 'used' | 'rejected' | 'none' | undefined

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
