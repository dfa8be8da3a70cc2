/** Equal commands are an equal project on the database of embedded hosts too; test/fuzz has the same for that of the server. */
import { test } from 'uvu'
import { drivers } from './boards.ts'
import { judgeMany } from './judge.ts'

const GRAPHS = 8

test(`sql.js: equal commands are an equal project in six orders, as by force: ${GRAPHS} graphs`, () => {
  judgeMany(drivers['sql.js']!, GRAPHS, 1)
})

test.run()
