/**
 * Equal commands give an equal project on the databases of embedded hosts. test/fuzz has the same test for the server's
 * database.
 */
import { test } from 'uvu'
import { countOf } from '../../support/count.ts'
import { drivers } from './boards.ts'
import { judgeMany } from './judge.ts'

const GRAPHS = countOf({ quick: 1, deep: 30 })

for (const name of ['sql.js', 'a database of the host'])
  test(`${name}: equal commands in six orders give the project of the oracle: ${GRAPHS} graphs`, () => {
    judgeMany(drivers[name]!, GRAPHS, 1)
  })

test.run()
