import { suite } from 'uvu'
import { feature as plugin } from '../../../plugins/transport/node-http/feature.ts'
import { addHttpCases } from './http-cases.ts'
import { addCases } from './suite.ts'

const test = suite('node:http')
addCases(test, [plugin], {}, { chunked: true, patient: true })
addHttpCases(
  test,
  [plugin],
  {},
  {
    // CONNECT and HTTP/0.9 are not supported.
    refuses: (input) => input.startsWith('CONNECT ') || /^GET \S+\r\n/.test(input),
    takes: [],
  },
)
test.run()
