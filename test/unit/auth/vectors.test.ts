/** Cases of JWS, JWK and JWT, with every crypto provider. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createNodeCryptoProvider } from '../../../plugins/auth/crypto/node.ts'
import { createWebCryptoProvider } from '../../../plugins/auth/crypto/web.ts'
import { jwtSteps } from '../../reach/suite/vectors-jwt.ts'
import { joseCases } from '../../support/vectors/jose.ts'

const cases = joseCases()

for (const [provider, crypto] of [
  ['node', createNodeCryptoProvider()],
  ['web', createWebCryptoProvider()],
] as const)
  for (const { name, work } of jwtSteps(cases, crypto))
    test(`${name}, ${provider}`, async () => {
      const fetched: string[] = []
      const globalFetch = globalThis.fetch
      globalThis.fetch = (input) => {
        fetched.push(String(input))
        throw new Error('no request may leave')
      }
      try {
        await work()
      } finally {
        globalThis.fetch = globalFetch
      }
      assert.equal(fetched, [])
    })

test.run()
