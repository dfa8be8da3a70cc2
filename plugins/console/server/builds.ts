/** The proofs and the accounts of the builds in this program's folder and in the folders beside it. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { BuildList } from '../session.ts'

/** The files of a build that the page may read, by their name in the route. */
const FILES = { proof: 'proof.json', account: 'account.json' } as const

/** The builds. Each call reads the folders again. */
export interface Builds {
  list(): BuildList
  /** The text of a file. Throws `not_found` if there is none. */
  read(profile: string, what: string): string
}

/** Creates the access to the builds beside a program. */
export function createBuilds(program: string): Builds {
  const folder = dirname(realpathSync(program))
  const root = dirname(folder)
  const list = (): BuildList => {
    const profiles = readdirSync(root).filter((name) => isFile(join(root, name, FILES.proof)))
    return { own: profiles.find((name) => name === basename(folder)) ?? null, profiles: profiles.sort() }
  }
  return {
    list,
    read(profile, what) {
      const file = Object.hasOwn(FILES, what) ? FILES[what as keyof typeof FILES] : undefined
      // The name comes from the list, so that it is never a path.
      const folderName = list().profiles.find((name) => name === profile)
      const path = file === undefined || folderName === undefined ? undefined : join(root, folderName, file)
      if (path === undefined || !isFile(path)) throw httpFail('not_found')
      return readFileSync(path, 'utf8')
    },
  }
}

/** Whether the path is a regular file, and not a symbolic link. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false
  }
}
