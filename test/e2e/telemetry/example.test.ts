/** The example plugin of the documentation is built and run, and its metrics are checked. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../../scripts/build/paths.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { startChild } from '../../support/child.ts'
import { startBuilt } from './built-service.ts'

const name = 'assistant'

test.after(() => {
  for (const folder of [buildDir(name), distDir(name)]) rmSync(folder, { recursive: true, force: true })
})

test('the example records model calls, tools, sandbox, guardrails, evaluations and skills', async () => {
  const profile = join(root, 'docs/examples/assistant/profile.ts')
  const build = startChild(process.execPath, { args: [join(root, 'scripts/build/cli.ts'), profile] })
  const { code } = await build.exited
  assert.is(code, 0, build.err)

  const service = await startBuilt({}, join(distDir(name), 'svc.mjs'))
  try {
    const ask = async (question: string): Promise<unknown> => {
      const response = await fetch(`${service.base}/api/svc/assistant`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenFor({ user: 'ada' })}` },
        body: JSON.stringify({ question }),
      })
      assert.is(response.status, 200)
      return response.json()
    }
    assert.equal(await ask('2 + 3'), { answer: 'It is 5.' })
    assert.equal(await ask('why?'), { answer: 'I can only add.' })
    assert.equal(await ask('mail me at ada@example.org'), { answer: 'I do not take addresses.' })

    const text = await (await fetch(`${service.base}/metrics`)).text()
    for (const line of [
      'svc_http_requests_total{method="POST",path="/api/svc/assistant",status="200"} 3',
      'svc_llm_call_duration_seconds_count{provider="abacus",model="beads-1"} 2',
      'svc_llm_input_tokens_total{provider="abacus",model="beads-1"} 9',
      'svc_llm_output_tokens_total{provider="abacus",model="beads-1"} 23',
      'svc_llm_estimated_cost_usd_total{provider="abacus",model="beads-1"} 0.0009',
      'svc_prompt_cache_write_tokens_total{provider="abacus",model="beads-1"} 9',
      'svc_provider_up{provider="abacus"} 1',
      'svc_tool_results_total{tool="add",outcome="ok"} 1',
      'svc_tool_results_total{tool="add",outcome="error"} 1',
      'svc_sandbox_activity_total{action="evaluate"} 2',
      'svc_sandbox_errors_total{kind="syntax"} 1',
      'svc_guardrail_observations_total{guardrail="no-addresses",verdict="passed"} 2',
      'svc_guardrail_observations_total{guardrail="no-addresses",verdict="blocked"} 1',
      'svc_sycophancy_score_count 2',
      'svc_evaluation_score{suite="sums"} 0',
      'svc_evaluation_regressions_total{suite="sums"} 1',
      'svc_skill_activations_total{skill="arithmetic"} 2',
      'svc_skill_outcomes_total{skill="arithmetic",outcome="failed"} 1',
      'svc_active_sessions 0',
    ]) {
      assert.ok(text.includes(`${line}\n`), `no line ${line}\n${text.replace(/^(#|process_|nodejs_).*\n/gm, '')}`)
    }
  } finally {
    await service.stop()
  }
})

test.run()
