/**
 * Reads the doc comments of the entry points with a source file. The entry points of profiles have none; they only
 * export `createRuntime`.
 */
import { join } from 'node:path'
import { Application, LogLevel, type ProjectReflection } from 'typedoc'
import { entries } from '../package/entries.ts'

/** The documented entry points: import name, and path of the source. */
export const documented: readonly { readonly name: string; readonly source: string }[] = entries.flatMap(
  ({ subpath, source }) => (source === undefined ? [] : [{ name: subpath.replace('.', 'svc'), source }]),
)

/** The result of TypeDoc, and the application that writes the pages. */
export interface ReadApi {
  readonly app: Application
  readonly project: ProjectReflection
}

/**
 * Reads the API.
 * @throws Error if TypeDoc cannot read the sources
 */
export async function readApi(root: string): Promise<ReadApi> {
  const app = await Application.bootstrap({
    name: 'svc',
    entryPoints: documented.map(({ source }) => join(root, source)),
    tsconfig: join(root, 'scripts/docs/tsconfig.json'),
    basePath: root,
    readme: 'none',
    disableSources: true,
    skipErrorChecking: true,
    validation: { notExported: false, invalidLink: true, notDocumented: true },
    logLevel: LogLevel.Warn,
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('TypeDoc cannot read the entry points')
  // TypeDoc names a page by its source file.
  for (const page of project.children ?? []) {
    const entry = documented.find(({ source }) => source.replace(/(?:\/index)?\.ts$/, '') === page.name)
    if (entry !== undefined) page.name = entry.name
  }
  return { app, project }
}
