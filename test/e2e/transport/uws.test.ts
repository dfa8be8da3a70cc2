import { suite } from 'uvu'
import { plugin as nodeHttp } from '../../../plugins/transport/node-http/plugin.ts'
import { plugin as uws } from '../../../plugins/transport/uws/plugin.ts'
import { addCases } from './suite.ts'
import { addVectors } from './vectors.ts'

const test = suite('uWebSockets.js')
const settings = { transport: 'uws' }
addCases(test, [nodeHttp, uws], settings, { chunked: false, patient: false })
addVectors(test, [nodeHttp, uws], settings, {
  refuses: (input) =>
    // Other versions, empty lines before a request, targets in other than origin form.
    !/^\S+ \/\S* HTTP\/1\.1\r\n/.test(input) ||
    // Chunked bodies (411), and bytes of another protocol behind a request.
    /\r\n(?:transfer-encoding|upgrade):/i.test(input),
  // The library takes a field with an empty name for the end of the head, and shows nothing of it.
  takes: ['f-empty-name'],
})
test.run()
