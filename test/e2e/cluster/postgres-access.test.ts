/** The connection of a node to a real PostgreSQL over TLS. */
import { chownSync, copyFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noOpenssl } from '../../../scripts/cluster/certificates.ts'
import { type Engine, noPostgres, startPostgres } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { databaseAt } from '../../unit/cluster/database.ts'
import { type Certificates, makeCertificates } from './certificates.ts'

const test = suite('cluster: access to PostgreSQL')

/** The codes of a certificate of an unknown authority. */
const unverified = /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)$/

/** Makes a server accept only TLS, with the given rule of pg_hba.conf. */
async function lock({ url }: Engine, { ca, server }: Certificates, rule: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const [row] = await sql<{ folder: string; hba: string }[]>`
      select current_setting('data_directory') as folder, current_setting('hba_file') as hba`
    const { folder, hba } = row!
    const { uid, gid } = statSync(folder)
    const own = (path: string, name: string): string => {
      const copy = join(folder, name)
      copyFileSync(path, copy)
      chownSync(copy, uid, gid)
      return copy
    }
    const files = {
      ssl_ca_file: own(ca, 'ca.pem'),
      ssl_cert_file: own(server.cert, 'server.pem'),
      ssl_key_file: own(server.key, 'server.key'),
    }
    for (const [name, path] of Object.entries(files)) await sql.unsafe(`alter system set ${name} = '${path}'`)
    await sql.unsafe('alter system set ssl = on')
    writeFileSync(hba, `${rule}\n`)
    await sql`select pg_reload_conf()`
  } finally {
    await sql.end()
  }
}

/** Whether the connections of a node are encrypted, or the error if it cannot connect. */
async function connects(url: string): Promise<unknown> {
  const database = databaseAt(url, { connections: 1, timeoutMs: 10_000 })
  try {
    const [row] = await database.run(
      (sql) => sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`,
    )
    return row!.ssl
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  } finally {
    database.reset()
  }
}

testUnless(
  test,
  noOpenssl ?? noPostgres,
  'a server is verified according to sslmode, with the authority of sslrootcert',
  async () => {
    const engine = await startPostgres()
    const certificates = makeCertificates()
    const { ca, otherCa } = certificates
    try {
      await lock(engine, certificates, 'hostssl all all 127.0.0.1/32 trust')
      const at = (host: string, parameters: string): string =>
        `postgres://svc@${host}:${engine.port}/svc${parameters === '' ? '' : `?${parameters}`}`
      const full = `sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`
      assert.is(await connects(at('localhost', full)), true)
      assert.is(await connects(at('127.0.0.1', full)), 'ERR_TLS_CERT_ALTNAME_INVALID')
      assert.is(await connects(at('127.0.0.1', full.replace('full', 'ca'))), true)
      assert.is(await connects(at('127.0.0.1', full.replace('verify-full', 'require'))), true)
      for (const mode of ['verify-full', 'verify-ca', 'require'])
        assert.match(
          String(await connects(at('localhost', `sslmode=${mode}&sslrootcert=${otherCa}`))),
          unverified,
          mode,
        )
      assert.match(String(await connects(at('localhost', 'sslmode=verify-full'))), unverified)
      assert.is(await connects(at('localhost', 'sslmode=require')), true)
      // PostgreSQL refuses a connection without encryption: no pg_hba.conf entry.
      assert.is(await connects(at('localhost', '')), '28000')
      assert.is(await connects(at('localhost', 'sslmode=disable')), '28000')
    } finally {
      await engine.stop()
    }
  },
)

testUnless(test, noOpenssl ?? noPostgres, 'a node presents its client certificate', async () => {
  const engine = await startPostgres()
  const certificates = makeCertificates()
  const { ca, client } = certificates
  try {
    await lock(engine, certificates, 'hostssl all all 127.0.0.1/32 trust clientcert=verify-ca')
    const url = `postgres://svc@localhost:${engine.port}/svc?sslmode=verify-full&sslrootcert=${ca}`
    assert.is(await connects(`${url}&sslcert=${client.cert}&sslkey=${client.key}`), true)
    assert.is.not(await connects(url), true)
  } finally {
    await engine.stop()
  }
})

test.run()
