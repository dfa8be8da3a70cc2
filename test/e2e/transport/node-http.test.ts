import { suite } from 'uvu'
import { plugin } from '../../../plugins/transport/node-http/plugin.ts'
import { addCases } from './suite.ts'
import { addVectors } from './vectors.ts'

const test = suite('node:http')
addCases(test, [plugin], {}, { chunked: true, patient: true })
addVectors(
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
