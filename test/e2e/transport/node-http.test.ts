import { suite } from 'uvu'
import { plugin } from '../../../plugins/transport/node-http/plugin.ts'
import { addCases } from './suite.ts'

const test = suite('node:http')
addCases(test, [plugin], {})
test.run()
