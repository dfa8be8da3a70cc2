/** Which URLs of PostgreSQL are refused before anything is opened, and for which a node logs a warning. */
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Secret } from '../../../core/declare/secret.ts'
import { readAccess, verifiesNobody } from '../../../plugins/cluster/postgres/access.ts'
import { feature as cluster } from '../../../plugins/cluster/postgres/feature.ts'
import { refusePostgresSettings } from '../../../plugins/cluster/postgres/settings.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { folderWith } from '../../support/folder.ts'
import { compose, keepLog } from '../../support/kernels.ts'

const file = join(folderWith({ 'other.txt': 'a secret that is in no message' }), 'other.txt')
const base = 'postgres://svc:p%40ss@host/svc'
const exchange = new Secret('x'.repeat(32))

test('a URL with unusable TLS parameters is refused, without its password or the contents of files', () => {
  for (const [parameters, problem] of [
    ['', undefined],
    ['sslmode=disable', undefined],
    ['sslmode=require&application_name=x', undefined],
    ['sslmode=verify-full', undefined],
    ['sslrootcert=system', undefined],
    ['sslmode=verify_full', /none of disable, allow/],
    ['sslmode=', /none of disable, allow/],
    [`sslrootcert=${file}`, /without an sslmode/],
    [`sslmode=disable&sslrootcert=${file}`, /without an sslmode/],
    [`sslmode=verify-full&sslrootcert=${file}`, /sslrootcert is not the PEM file/],
    ['sslmode=verify-full&sslrootcert=/nowhere.pem', /sslrootcert cannot be read \(ENOENT\)/],
    [`sslmode=require&sslcert=${file}`, /only one of sslcert and sslkey/],
    [`sslmode=require&sslcert=${file}&sslkey=${file}`, /sslcert is not the PEM file/],
  ] as const) {
    const refusals = refusePostgresSettings(new Secret(`${base}?${parameters}`), exchange, null)
    assert.equal(refusals.length, problem === undefined ? 0 : 1, parameters)
    for (const { message } of refusals) {
      assert.match(message, problem!)
      assert.not.match(message, /p%40ss|p@ss|secret that/)
    }
  }
  const [refusal] = refusePostgresSettings(new Secret('postgres://a,10.0.0.1/svc?sslmode=verify-full'), exchange, null)
  assert.match(refusal!.message, /several hosts/)
})

test('a URL with characters that are not percent-encoded, or with unknown parameters, is refused without any part of it', () => {
  for (const [url, problem] of [
    ['postgres://svc:p%25%23%2F%3F%40@host/svc', undefined],
    ['postgres://svc@host', undefined],
    ['postgres://svc:p@ss@host/svc?target_session_attrs=primary&options=-csearch_path%3Dsvc', undefined],
    ['postgres://svc:100%secret@host/svc', /write % as %25/],
    ['postgres://svc%:secret@host/svc', /write % as %25/],
    ['postgres://svc:1#secret@host/svc', /# as %23/],
    ['postgres://svc:1/secret@host/svc', /\/ as %2F/],
    ['postgres://svc:1?secret@host/svc', /a \? of the password as %3F/],
    ['postgres://svc:pass#secret@host/svc', /percent-encode/],
    ['postgres://svc:pass@host/svc/secret', /\/ as %2F/],
    ['postgres://svc@host/svc?schema=secret', /another parameter than sslmode, .*application_name/],
    ['postgres://svc@host/svc?ssl=secret', /another parameter than sslmode/],
    ['postgres://svc@host/svc?sslmode=require&sslmode=disable', /a parameter twice/],
    ['postgres://svc@host/svc?target_session_attrs=secret', /none of read-write/],
  ] as const) {
    const refusals = refusePostgresSettings(new Secret(url), exchange, null)
    assert.equal(refusals.length, problem === undefined ? 0 : 1, url)
    for (const { message } of refusals) {
      assert.match(message, problem!)
      assert.not.match(message, 'secret')
    }
  }
  // The client would take the first @ for the end of the password.
  assert.is(readAccess('postgres://svc:p@ss@a,b/svc').url, 'postgres://svc:p%40ss@a,b/svc')
})

test('TLS parameters are removed from the URL, and other parameters stay', () => {
  assert.equal(readAccess(`${base}?application_name=x`), { url: `${base}?application_name=x` })
  assert.equal(readAccess(`${base}?sslmode=require&application_name=x`), {
    url: `${base}?application_name=x`,
    ssl: 'require',
  })
  assert.equal(readAccess(`${base}?sslmode=disable`), { url: base, ssl: false })
})

test('encryption without verification of the server is detected', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['', false],
    ['sslmode=disable', false],
    ['sslmode=prefer', true],
    ['sslmode=require', true],
    [`sslmode=require&sslrootcert=${file}`, false],
    ['sslmode=require&sslrootcert=system', false],
    ['sslmode=verify-ca', false],
    ['sslmode=verify-full', false],
  ]
  for (const [parameters, wanted] of cases) assert.is(verifiesNobody(`${base}?${parameters}`), wanted, parameters)
})

test('a node that verifies nobody says so in its log', async () => {
  for (const [parameters, isWarned] of [
    ['sslmode=require', true],
    ['sslmode=require&sslrootcert=system', false],
    ['sslmode=verify-full', false],
  ] as const) {
    const log = keepLog()
    const secret = 'x'.repeat(32)
    // Nobody listens there.
    const postgres_url = `postgres://svc@127.0.0.1:9/svc?${parameters}`
    const kernel = compose([probes, cluster], {
      log,
      given: { cluster: { postgres_url }, security: { exchange_secret: secret } },
    })
    await kernel.start()
    await kernel.stop()
    const warnings = log.records.filter(({ message }) => message.includes('The server of PostgreSQL is not verified'))
    assert.equal(
      warnings.map(({ level }) => level),
      isWarned ? ['warn'] : [],
      parameters,
    )
  }
})

test.run()
