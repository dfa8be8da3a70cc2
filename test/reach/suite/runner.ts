/** Runs a suite of steps. It imports nothing and needs no global, so that it runs wherever the libraries run. */

/** One step: its name, and work that throws if what it looks at is not so. */
export interface Step {
  readonly name: string
  readonly work: () => unknown
}

/** How a step ended: no problem means that it passed. */
export interface StepResult {
  readonly name: string
  readonly problem?: string
}

/** The library under test does not come in time. */
const LIMIT_MS = 30_000

/** Runs the steps one after the other. A step that fails does not keep the next one from running. */
export async function runSteps(steps: readonly Step[]): Promise<readonly StepResult[]> {
  const results: StepResult[] = []
  for (const { name, work } of steps) {
    try {
      await within(Promise.resolve().then(work))
      results.push({ name })
    } catch (error) {
      results.push({ name, problem: textOf(error) })
    }
  }
  return results
}

/** Throws if two values differ in their JSON. */
export function same(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: expected ${other}, found ${one}`)
}

/** Throws unless the condition holds. */
export function ok(what: string, holds: unknown): void {
  if (!holds) throw new Error(what)
}

/** The code of the error with which a promise is rejected; `resolved` if it is not. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'resolved',
    (error: { code?: unknown }) => error?.code ?? textOf(error),
  )
}

/** Rejects after the time limit, where the realm has both functions of a timer. */
async function within(work: Promise<unknown>): Promise<void> {
  if (typeof setTimeout !== 'function' || typeof clearTimeout !== 'function') return void (await work)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${LIMIT_MS} ms`)), LIMIT_MS)
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
