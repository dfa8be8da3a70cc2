/**
 * An example of a plugin that records metrics: an assistant that adds numbers. Small functions replace the model, the
 * sandbox and the judge of a real assistant; the calls of `Telemetry` are those of a real assistant.
 */
import { closed, counter, defineFeature, described, type FeatureValue, json, type Schema } from 'svc/plugin'
import type { Telemetry } from '../../../plugins/telemetry/api.ts'

const path = '/api/svc/assistant'
const send = { method: 'POST', path, body: { question: '2 + 3' } }

/** The assistant. */
export const feature: FeatureValue<'example.assistant'> = defineFeature({
  id: 'example.assistant',
  version: '1.0.0',
  about: described({
    summary: 'An assistant that adds',
    stability: 'experimental',
    since: '1.0.0',
    platform: 'web',
    contract: {
      present: [
        {
          name: 'it adds',
          send: { ...send, as: { user: 'ada' } },
          expect: { status: 200, body: { answer: 'It is 5.' } },
        },
        {
          name: 'it knows only callers who say who they are',
          send,
          expect: { status: 401 },
        },
        {
          name: 'a body of another shape is refused',
          send: { method: 'POST', path, body: { query: '2 + 3' }, as: { user: 'ada' } },
          expect: { status: 400, body: { error: { code: 'malformed_request' } } },
        },
      ],
      absent: [
        {
          name: 'there is no assistant',
          send: { ...send, as: { user: 'ada' } },
          expect: { status: 404 },
        },
      ],
    },
  }),
  // Not required: the feature also runs in a profile without metrics.
  needs: { Telemetry: 'optional' },
  metrics: {
    asked: counter('example_questions_total', { unit: 'questions', help: 'Questions that were asked.' }),
  },
  setup({ get, clock, metrics, onReady }) {
    const telemetry = get('Telemetry')
    onReady(() => telemetry?.providerUp('abacus', true))
    return { telemetry, monotonic: clock.monotonic, asked: metrics.asked }
  },
  routes: (route) => [
    route('POST /api/svc/assistant', {
      about: described({
        id: 'ask',
        summary: 'Answers a question such as "2 + 3".',
        request: closed('Question', { question: { type: 'string' } }),
        answers: { 200: { description: 'The answer.', schema: closed('Sum', { answer: { type: 'string' } }) } },
      }),
      body: questionSchema(),
      handler({ body: { question } }, { telemetry, monotonic, asked }) {
        asked.add({})
        telemetry?.sessions(1)
        try {
          return json(200, { answer: answer(question, telemetry, monotonic) })
        } finally {
          telemetry?.sessions(-1)
        }
      },
    }),
  ],
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
function questionSchema(): Schema<{ question: string }> {
  return {
    '~standard': {
      validate: (value) => {
        const question = (value as { question?: unknown } | null)?.question
        if (typeof question !== 'string') return { issues: [{ message: 'expected a text', path: ['question'] }] }
        return { value: { question } }
      },
    },
  }
}
