/** Reads advisories in the OSV format (https://ossf.github.io/osv-schema/). Only packages of npm are read. */
import { isObject } from '../../../core/kernel/values.ts'
import { compareVersions } from '../../build/policy/compare-versions.ts'
import { toolFail } from '../errors.ts'
import { readText } from '../files.ts'

/** The data of an advisory about one package. */
export interface Affected {
  readonly name: string
  /** The files that the advisory names, as paths in the package; empty if it is about the whole package. */
  readonly files: readonly string[]
  /** Whether a version is affected. Without version data every version counts as affected. */
  readonly has: (version: string) => boolean
}

/** An advisory. */
export interface Advisory {
  readonly id: string
  readonly aliases: readonly string[]
  readonly summary: string
  readonly affected: readonly Affected[]
}

/** Size limit of an advisory file in bytes. */
const LONGEST_BYTES = 16 * 1_048_576

/**
 * Reads a file with one advisory or a list of advisories.
 * @throws SvcError `ERR_TOOL_INPUT`
 */
export function readAdvisories(file: string): Advisory[] {
  let value: unknown
  try {
    value = JSON.parse(readText(file, LONGEST_BYTES))
  } catch (cause) {
    throw toolFail('ERR_TOOL_INPUT', { message: `${file} cannot be read: ${(cause as Error).message}`, cause })
  }
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  return list.map((one) => toAdvisory(one, file))
}

function toAdvisory(value: unknown, file: string): Advisory {
  const { id, aliases, summary, details, affected, withdrawn } = asObject(value)
  if (typeof id !== 'string' || !/^[\w.:-]{1,128}$/.test(id) || !Array.isArray(affected)) {
    throw toolFail('ERR_TOOL_INPUT', {
      message: `${file} holds no advisory of the OSV format: it has no id, or no list of what is affected.`,
    })
  }
  const rows = withdrawn === undefined ? (affected as unknown[]) : []
  return {
    id,
    aliases: texts(aliases),
    summary: firstLine([summary, details].find((one) => typeof one === 'string' && one !== '')),
    affected: rows.flatMap((one) => toAffected(one)),
  }
}

function toAffected(value: unknown): Affected[] {
  const {
    package: named,
    ranges,
    versions,
    ecosystem_specific: specific,
    database_specific: database,
  } = asObject(value)
  const { ecosystem, name } = asObject(named)
  if (ecosystem !== 'npm' || typeof name !== 'string') return []
  const listed = new Set(texts(versions))
  const rules = (Array.isArray(ranges) ? (ranges as unknown[]) : [])
    .map(asObject)
    .filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM')
  const files = [specific, database].flatMap((one) => {
    const { imports, files } = asObject(one)
    const paths = (Array.isArray(imports) ? (imports as unknown[]) : []).flatMap((row) =>
      texts([asObject(row)['path']]),
    )
    return [...paths, ...texts(files)]
  })
  const hasVersions = listed.size > 0 || rules.length > 0
  return [
    {
      name,
      files: files.map((path) => path.replace(/^\.?\//, '')),
      has: (version) => !hasVersions || listed.has(version) || rules.some(({ events }) => isWithin(version, events)),
    },
  ]
}

/** Whether a version is in the range between `introduced` and its end. The events are sorted here. */
function isWithin(version: string, events: unknown): boolean {
  const list = (Array.isArray(events) ? (events as unknown[]) : []).map(asObject).flatMap((event) => {
    const [kind, at] = Object.entries(event).find(([name]) => /^(?:introduced|fixed|last_affected)$/.test(name)) ?? []
    return kind !== undefined && typeof at === 'string' ? [{ kind, at: at === '0' ? '0.0.0-0' : at }] : []
  })
  list.sort((a, b) => compareVersions(a.at, b.at))
  let within = false
  for (const { kind, at } of list) {
    const order = compareVersions(version, at)
    if (kind === 'introduced' && order >= 0) within = true
    if (kind === 'fixed' && order >= 0) within = false
    if (kind === 'last_affected' && order > 0) within = false
  }
  return within
}

function firstLine(value: unknown): string {
  return String(value ?? '')
    .split('\n', 1)
    .join('')
    .slice(0, 300)
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).filter((one): one is string => typeof one === 'string')
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
