import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withoutCredentials } from '../../../core/kernel/printable.ts'
import { toLogValue } from '../../../plugins/telemetry/logs/log-value.ts'

test('user, password and query of each address in a text are hidden, and nothing else', () => {
  for (const [text, shown] of [
    ['https://u:p@otel.example:4318/a', 'https://[redacted]@otel.example:4318/a'],
    ['nats://token@a:4222,nats://u:p@b', 'nats://[redacted]@a:4222,nats://[redacted]@b'],
    ['postgres://u:p@ss@h/db?sslmode=require', 'postgres://[redacted]@h/db?[redacted]'],
    ['cannot reach "https://idp.example/keys?api_key=k#f"', 'cannot reach "https://idp.example/keys?[redacted]#f"'],
    ['HTTPS://U@H', 'HTTPS://[redacted]@H'],
    ['https://cdn.example/@scope/a', 'https://cdn.example/@scope/a'],
    ['at file:///srv/node_modules/@a/b.js?v=1:2:3', 'at file:///srv/node_modules/@a/b.js?v=1:2:3'],
    ['ada@example.org, why?', 'ada@example.org, why?'],
  ] as const)
    assert.is(withoutCredentials(text), shown)
})

test('an error that quotes an address is logged without the credentials', () => {
  let error: unknown
  try {
    new URL('https://user:hunter2@host:port/?key=hunter3')
  } catch (caught) {
    error = caught
  }
  assert.is((error as { input: string }).input, 'https://user:hunter2@host:port/?key=hunter3')
  const logged = JSON.stringify(toLogValue('error', error))
  assert.match(logged, 'https://[redacted]@host:port/?[redacted]')
  assert.not.match(logged, 'hunter')
})

test.run()
