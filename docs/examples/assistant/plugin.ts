/**
 * An example of a plugin that records metrics: an assistant that adds numbers. Small functions replace the model, the sandbox and
 * the judge of a real assistant; the calls of `Telemetry` are those of a real assistant.
 */
import { definePlugin, json, type Plugin, type RouteSpec, readJson, type Schema } from 'svc/plugin'
import type { Telemetry } from '../../../plugins/telemetry/api.ts'

const ask: RouteSpec = {
  surface: 'runtime',
  method: 'POST',
  path: '/api/svc/assistant',
  body: { type: 'application/json' },
  summary: 'Answers a question such as "2 + 3".',
}

/** The assistant. */
export const plugin: Plugin = definePlugin({
  name: 'example.assistant',
  feature: 'example.assistant',
  version: '1.0.0',
  // Wanted, not required: the plugin also runs in a profile without metrics.
  wants: ['Telemetry'],
  routes: [ask],
  setup(ctx) {
    const telemetry = ctx.find('Telemetry')
    ctx.onReady(() => telemetry?.providerUp('abacus', true))
    ctx.route(ask, async (request) => {
      const { question } = await readJson(request, questionSchema)
      telemetry?.sessions(1)
      try {
        return json(200, { answer: answer(question, telemetry, ctx.clock.monotonic) })
      } finally {
        telemetry?.sessions(-1)
      }
    })
  },
})

function answer(question: string, telemetry: Telemetry | undefined, monotonic: () => number): string {
  const personal = /\S+@\S+/.test(question)
  telemetry?.guardrail('no-addresses', personal ? 'blocked' : 'passed')
  if (personal) return 'I do not take addresses.'

  telemetry?.skillActivated('arithmetic')
  telemetry?.sandboxActivity('evaluate')
  const startedMs = monotonic()
  const sum = add(question)
  const text = sum === undefined ? 'I can only add.' : `It is ${sum}.`
  telemetry?.llmCall({
    provider: 'abacus',
    model: 'beads-1',
    durationSeconds: (monotonic() - startedMs) / 1_000,
    costUsd: 0.000_1 * question.length,
    inputTokens: question.length,
    outputTokens: text.length,
    cacheReadTokens: 0,
    cacheWriteTokens: question.length,
  })
  if (sum === undefined) telemetry?.sandboxError('syntax')
  telemetry?.toolResult('add', sum === undefined ? 'error' : 'ok')
  telemetry?.skillOutcome('arithmetic', sum === undefined ? 'failed' : 'ok')
  telemetry?.sycophancy(0)
  telemetry?.evaluation('sums', sum === undefined ? 0 : 1)
  if (sum === undefined) telemetry?.evaluationRegression('sums')
  return text
}

function add(question: string): number | undefined {
  const match = /^\s*(\d{1,9})\s*\+\s*(\d{1,9})\s*$/.exec(question)
  return match === null ? undefined : Number(match[1]) + Number(match[2])
}

/** Validates the body. Written by hand here; any library with the Standard Schema interface works. */
const questionSchema: Schema<{ question: string }> = {
  '~standard': {
    validate: (value) => {
      const question = (value as { question?: unknown } | null)?.question
      if (typeof question !== 'string') return { issues: [{ message: 'expected a text', path: ['question'] }] }
      return { value: { question } }
    },
  },
}
