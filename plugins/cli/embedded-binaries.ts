/** The assets of a single executable: native binaries and a bill of materials. */

/** The embedded binaries of a build: each with its hash, or with a note why it is missing. */
export interface EmbeddedBinaries {
  /** Whether this process is a single executable. */
  readonly executable: boolean
  /**
   * Whether V8 accepted the code cache of the executable. If not, every start compiles the program and takes half as
   * long again. `none`: the executable has no code cache, because the program needs settings to start, or because the
   * starts of the build made different caches. A script has no such member.
   */
  readonly codeCache?: 'used' | 'rejected' | 'none'
  readonly binaries: readonly {
    readonly name: string
    readonly sha256: string | null
    readonly package?: string
    readonly note?: string
  }[]
}

/** Reads the list of the embedded binaries. The list is empty in a script. */
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

/** Set by the boot code of an executable. */
declare const svcCodeCache: 'used' | 'rejected' | 'none' | undefined

interface Sea {
  isSea(): boolean
  getAsset(name: string, encoding: 'utf8'): string
}

/**
 * Loads `node:sea`, which exists since Node 20.12. Returns undefined in an older Node, where nothing can be embedded.
 */
function loadSea(): Sea | undefined {
  try {
    return process.getBuiltinModule?.('node:sea') as Sea | undefined
  } catch {
    return undefined
  }
}
