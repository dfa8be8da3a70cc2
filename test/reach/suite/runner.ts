/**
 * Runs a suite of steps. This module imports nothing and needs no global, so that it runs everywhere the libraries run.
 */

/** One step: its name, and work that throws if a check fails. */
export interface Step {
  readonly name: string
  readonly work: () => unknown
  /** The time limit in milliseconds, if the step has another one: it must be above what the step itself waits. */
  readonly limitMs?: number
}

/** The result of a step. A step without a problem has passed. */
export interface StepResult {
  readonly name: string
  readonly problem?: string
}

/** The time limit of a step, in milliseconds: only a hang takes so long. */
const LIMIT_MS = 60_000

/** Runs the steps one after the other. After a failed step the next step still runs. */
export async function runSteps(steps: readonly Step[]): Promise<readonly StepResult[]> {
  const results: StepResult[] = []
  for (const { name, work, limitMs = LIMIT_MS } of steps) {
    try {
      await within(limitMs, Promise.resolve().then(work))
      results.push({ name })
    } catch (error) {
      results.push({ name, problem: textOf(error) })
    }
  }
  return results
}

/** Throws if two values differ in their JSON. */
export function same(what: string, found: unknown, expected: unknown): void {
  const [foundText, expectedText] = [JSON.stringify(found), JSON.stringify(expected)]
  if (foundText !== expectedText) throw new Error(`${what}: expected ${expectedText}, found ${foundText}`)
}

/** Throws unless the condition holds. */
export function ok(what: string, holds: unknown): void {
  if (!holds) throw new Error(what)
}

/** The code of the error with which a promise rejects. `resolved` if the promise resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: { code?: unknown }) => error?.code ?? textOf(error),
  )
}

/** Rejects after the time limit, if the realm has the functions of timers. */
async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  if (typeof setTimeout !== 'function' || typeof clearTimeout !== 'function') return void (await work)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limitMs} ms`)), limitMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Object)) return String(error)
  const { name, code, message, cause } = error as { name?: string; code?: string; message?: string; cause?: unknown }
  const own = [code ?? name, message].filter((part) => part !== undefined).join(': ')
  return cause === undefined ? own : `${own} (${textOf(cause)})`
}
