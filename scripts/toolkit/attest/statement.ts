/**
 * The statement that is signed for a build: in-toto (version 1) with SLSA provenance (version 1). It contains no date.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { npmPurl } from '../../build/account/account.ts'
import { toolFail } from '../errors.ts'
import { hashFile } from '../files.ts'
import type { Dist } from '../open-dist.ts'

const STATEMENT = 'https://in-toto.io/Statement/v1'
const PROVENANCE = 'https://slsa.dev/provenance/v1'

/** One file that a statement is about. */
export interface Subject {
  readonly name: string
  readonly digest: { readonly sha256: string }
}

/** Creates the statement about the files of a folder. */
export function statementOf({ folder, account, proof }: Dist): Record<string, unknown> {
  const packages = new Map(proof.bundles.flatMap((one) => Object.entries(one.packages)))
  return {
    _type: STATEMENT,
    subject: subjectsIn(folder),
    predicateType: PROVENANCE,
    predicate: {
      buildDefinition: {
        buildType: 'urn:svc:build:1',
        externalParameters: { profile: account.profile },
        internalParameters: { node: process.versions.node },
        resolvedDependencies: [...packages]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([place, { version, sha256 }]) => {
            const { name = place.replace(/^.*node_modules\//, ''), integrity } = account.packages[place] ?? {}
            // `files` is the hash of the installed files; `sha512` is the hash of the package as npm downloads it.
            return {
              uri: npmPurl(name, version),
              name: place,
              digest: {
                files: sha256,
                ...(integrity?.startsWith('sha512-') && {
                  sha512: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
                }),
              },
            }
          }),
      },
      runDetails: { builder: { id: `urn:svc:toolkit:${account.toolkit}` } },
    },
  }
}

/**
 * Every file of a folder with its hash, sorted by name.
 * @throws SvcError `ERR_TOOL_VERIFY` if the folder contains an entry that is not a file
 */
export function subjectsIn(folder: string): Subject[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name)
      if (!lstatSync(path).isFile()) throw toolFail('ERR_TOOL_VERIFY', { message: `${path} is no file.` })
      return { name, digest: { sha256: hashFile(path) } }
    })
}

/** Returns a line for every difference between a folder and a signed statement. */
export function differences(statement: unknown, folder: string, profile: string): string[] {
  const { _type, predicateType, subject, predicate } = (statement ?? {}) as Record<string, unknown>
  if (_type !== STATEMENT || predicateType !== PROVENANCE || !Array.isArray(subject)) {
    return ['What is signed is no provenance of a build.']
  }
  const signed = new Map<unknown, unknown>()
  for (const one of subject as Partial<Subject>[]) {
    if (typeof one?.name !== 'string' || signed.has(one.name)) return ['The signed list of files is damaged.']
    signed.set(one.name, one.digest?.sha256)
  }
  const subjects = subjectsIn(folder)
  const parameters = (predicate as { buildDefinition?: { externalParameters?: { profile?: unknown } } } | undefined)
    ?.buildDefinition?.externalParameters
  return [
    ...(parameters?.profile === profile
      ? []
      : [`It was signed as a build of ${String(parameters?.profile)}, and is one of ${profile}.`]),
    ...subjects.flatMap(({ name, digest }) => {
      if (!signed.has(name)) return [`${name} was not there when it was signed.`]
      return signed.get(name) === digest.sha256 ? [] : [`${name} is not the file that was signed.`]
    }),
    ...[...signed.keys()].flatMap((name) =>
      subjects.some((one) => one.name === name) ? [] : [`${String(name)} is missing.`],
    ),
  ]
}
