/** Starts the page. */
import { render } from 'preact'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/shell.css'
import { connection } from './lib/console-fetch.ts'
import { startKeys } from './lib/keys.ts'
import { startRouter } from './lib/router.ts'
import { startScrollAddress } from './lib/scroll-address.ts'
import { loadSession } from './lib/service.ts'
import { startClock } from './lib/while-visible.ts'
import { App } from './shell/app.tsx'
import { startTheme } from './shell/navigation.tsx'

startTheme()
startRouter()
startScrollAddress()
startKeys()
startClock()
const app = document.getElementById('app')
if (app === null) throw new Error('the page has no element for the app')
render(<App />, app)
try {
  await loadSession()
} catch {
  // The connection bar shows the reason, and loads the session when the console answers.
  connection.value = 'ended'
}
