/**
 * Contracts: what a feature promises where it is present, and what a client sees where it is absent. The conformance
 * suites are generated from them. A case gets the service under test as a parameter, so it runs against anything that
 * answers requests.
 */
import type { SurfaceName } from '../http/route.ts'

/** A request of a case. */
export interface Send {
  /** `GET` if absent. */
  readonly method?: string
  /** Path and query, sent unchanged. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent unchanged; any other value as JSON with its content type. */
  readonly body?: unknown
  /** The caller. The harness makes the credential. Without a caller no credential is sent. */
  readonly as?: Caller
}

/** A caller that the harness can make a credential for. */
export interface Caller {
  readonly user: string
  readonly tenant?: string
  readonly scopes?: readonly string[]
}

/** An answer, with lower-case header names. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON. */
  json(): unknown
}

/** An open stream of an answer. */
export interface OpenAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Waits for the next piece of the body; undefined at the end. */
  next(): Promise<string | undefined>
  close(): void
}

/** The service under test. */
export interface Target {
  request(send: Send): Promise<Answer>
  open(send: Send): Promise<OpenAnswer>
  /** All log records so far. */
  logs(): string
}

/** What an answer must be. */
export interface Expect {
  readonly status: number
  /** A text must be equal, an expression must match; null means that the header is absent. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>
  /** An expression must match the text; an object must be contained in the JSON. */
  readonly body?: RegExp | Readonly<Record<string, unknown>>
}

/** The members of every kind of case. */
export interface CaseBase {
  readonly name: string
  /** Other features that the case uses. The case is skipped, and counted as skipped, in a profile that lacks one. */
  readonly needs?: readonly string[]
  /** Settings, by full key, with which the service under test is started. */
  readonly given?: Readonly<Record<string, unknown>>
  /** Why the case holds for a single node, and not for several behind a balancer. */
  readonly oneNode?: string
}

/** A request with its expectation, or steps that throw if a check fails. */
export interface HttpCase extends CaseBase {
  readonly surface?: SurfaceName
  readonly send?: Send
  readonly expect?: Expect
  readonly steps?: (target: Target) => Promise<void>
}

/** How a command ended. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What the end of a command must be. */
export interface Exits {
  readonly code: number
  /** A text must be equal, an expression must match, an object must be contained in the JSON. */
  readonly stdout?: string | RegExp | Readonly<Record<string, unknown>>
  readonly stderr?: string | RegExp
}

/** A program under test, with its own folder, which is removed after the case. */
export interface Program {
  /** Runs the program to its end. Names of files are relative to `folder`. */
  run(args: readonly string[]): Promise<Ran>
  /** The working folder and home of the program. Its durable state is in the subfolder `state`. */
  readonly folder: string
}

/** A command line with its expected end, or several commands that throw if a check fails. */
export interface CommandCase extends CaseBase {
  readonly command?: readonly string[]
  /** `missing`: there is no program at all. */
  readonly exits?: Exits | 'missing'
  readonly dialogue?: (program: Program) => Promise<void>
}

/** A library under test, as an import of it gives it. */
export interface Library {
  readonly exports: Readonly<Record<string, unknown>>
  /** A file that ships beside the library. */
  asset(name: string): Uint8Array
}

/** What a call must throw or reject with. */
export interface Throws {
  readonly code: string
  /** Must match the message. */
  readonly message?: RegExp
}

/**
 * A call of an exported function with its expected result, or code that uses the library and throws if a check fails.
 */
export interface CallCase extends CaseBase {
  /** The name of the export. */
  readonly call?: string
  /** The arguments; none if absent. */
  readonly with?: readonly unknown[]
  /** The awaited value. An object must be contained in it; any other value must be equal. */
  readonly gives?: unknown
  readonly throws?: Throws
  /** Settings, by full key, that the library refuses; its error names each. */
  readonly refuses?: Readonly<Record<string, unknown>>
  /** The library exports nothing of that name. */
  readonly missing?: true
  readonly use?: (library: Library) => Promise<void>
}

/** One case, of one of the three kinds. */
export type Case = HttpCase | CommandCase | CallCase

/** What a case is run on. */
export type CaseKind = 'http' | 'command' | 'call'

/** A side without cases, and the reason. */
export interface NoCases {
  readonly none: string
}

/** The two sides of a feature's promise. */
export interface Contract {
  readonly present: readonly Case[] | NoCases
  readonly absent: readonly Case[] | NoCases
}

/** The members of each kind of case. */
const FORMS: Readonly<Record<string, CaseKind>> = {
  'expect send': 'http',
  steps: 'http',
  'command exits': 'command',
  dialogue: 'command',
  'call gives': 'call',
  'call throws': 'call',
  'call missing': 'call',
  'call gives with': 'call',
  'call throws with': 'call',
  refuses: 'call',
  use: 'call',
}
const COMMON: readonly string[] = ['name', 'needs', 'given', 'oneNode', 'surface']

/** The kind of a case; undefined if its members are those of no kind. */
export function kindOf(one: Case): CaseKind | undefined {
  const members = Object.entries(one).filter(([name, value]) => value !== undefined && !COMMON.includes(name))
  return FORMS[
    members
      .map(([name]) => name)
      .sort()
      .join(' ')
  ]
}

/** Commands that all succeed; the last one prints what is expected. */
export function printsAtLast(
  commands: readonly (readonly string[])[],
  expected: RegExp,
): NonNullable<CommandCase['dialogue']> {
  return async ({ run }) => {
    let printed = ''
    for (const command of commands) {
      const { code, stdout, stderr } = await run(command)
      if (code !== 0) throw new Error(`${command.join(' ')}: exit code ${code}, ${stderr}`)
      printed = stdout
    }
    if (!expected.test(printed)) throw new Error(`It does not match ${String(expected)}: ${printed}`)
  }
}

/** The cases of a side; none if it gives a reason. */
export function casesOn(side: Contract['present']): readonly Case[] {
  return 'none' in side ? [] : side
}

/**
 * Declares a contract. Throws for a case that checks nothing or is of two kinds, and for an empty reason.
 *
 * @example
 * ```ts
 * import { defineContract } from 'svc/plugin'
 *
 * export const contract = defineContract({
 *   present: [{ name: 'a quote is text', send: { path: '/edge/quote' }, expect: { status: 200 } }],
 *   absent: [{ name: 'there is no quote', send: { path: '/edge/quote' }, expect: { status: 401 } }],
 * })
 * ```
 */
export function defineContract(contract: Contract): Contract {
  for (const side of [contract.present, contract.absent]) {
    if ('none' in side && side.none.trim() === '') throw new TypeError('A side without cases says why: { none: … }.')
    for (const one of casesOn(side)) if (kindOf(one) === undefined) throw new TypeError(`Case "${one.name}": ${HOW}`)
  }
  return contract
}

/** For steps of a case: throws if two JSON values differ. */
export function same(what: string, actual: unknown, expected: unknown): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`)
}

/**
 * For the absent side of a feature with settings: the library refuses each by name, so that no setting is ignored
 * silently.
 */
export function refusesSetting(key: string, value: unknown): CallCase {
  return { name: `the library refuses the setting ${key}`, refuses: { [key]: value } }
}

const HOW =
  'give send and expect, or steps; command and exits, or dialogue; call and one of gives, throws, missing; refuses; or use.'
