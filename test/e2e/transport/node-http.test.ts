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
    // There is nothing to tunnel to, and HTTP/0.9 is no protocol of this server.
    refuses: (input) => input.startsWith('CONNECT ') || /^GET \S+\r\n/.test(input),
    takes: [],
  },
)
test.run()
