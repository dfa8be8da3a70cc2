/** Starts the page. */
import { render } from 'preact'
import '../../../../plugins/console/page/style/tokens.css'
import '../../../../plugins/console/page/style/base.css'
import '../../../../plugins/console/page/style/parts.css'
import './configure.css'
import { startKeys } from '../../../../plugins/console/page/lib/keys.ts'
import { startTheme } from '../../../../plugins/console/page/shell/navigation.tsx'
import { App } from './app.tsx'
import { load } from './state.ts'

startTheme()
startKeys()
const app = document.getElementById('app')
if (app === null) throw new Error('the page has no element for the app')
render(<App />, app)
await load()
