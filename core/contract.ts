/**
 * Contracts: what a feature promises where it is present, and what a client sees where it is absent. The conformance
 * suites are generated from them; a case takes the thing under test as a parameter, so it runs against anything that
 * answers requests.
 */
import type { SurfaceName } from './http/route.ts'

/** A request of a case. */
export interface Send {
  /** `GET` where absent. */
  readonly method?: string
  /** Path and query, sent as it stands. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is; anything else as JSON with its content type. */
  readonly body?: unknown
  /** Whom to authenticate as; nobody where absent. The harness makes the credential. */
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

/** The thing under test. */
export interface Target {
  request(send: Send): Promise<Answer>
  open(send: Send): Promise<OpenAnswer>
  /** Everything it has logged so far. */
  logs(): string
}

/** What an answer must be. */
export interface Expect {
  readonly status: number
  /** A text must be equal, an expression must match, null means: not there. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>
  /** An expression must match the text; an object must be contained in the JSON. */
  readonly body?: RegExp | Readonly<Record<string, unknown>>
}

/** One case: a request with its expectation, or steps that check for themselves by throwing. */
export interface Case {
  readonly name: string
  readonly surface?: SurfaceName
  /** Features that the case looks through, beside its own; it is left out, aloud, where one is not in the profile. */
  readonly needs?: readonly string[]
  /** Settings, by full key, that the thing under test is started with. */
  readonly given?: Readonly<Record<string, unknown>>
  readonly send?: Send
  readonly expect?: Expect
  readonly steps?: (target: Target) => Promise<void>
}

/** The two sides of a feature's promise. */
export interface Contract {
  readonly present: readonly Case[]
  readonly absent: readonly Case[]
}

/** Declares a contract. A case without `expect` and without `steps` would check nothing and is refused. */
export function defineContract(contract: Contract): Contract {
  for (const one of [...contract.present, ...contract.absent]) {
    const parts = [one.send, one.expect, one.steps].map((part) => part !== undefined).join()
    if (parts !== 'true,true,false' && parts !== 'false,false,true') {
      throw new TypeError(`Case "${one.name}": give either send and expect, or steps.`)
    }
  }
  return contract
}
