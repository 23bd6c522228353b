import { card_faults_script } from './card-faults-script.ts'
import { card_rules_script } from './card-rules-script.ts'
import { card_typing_script } from './card-typing-script.ts'
import { send_checks_script } from './send-checks-script.ts'
import { send_script } from './send-script.ts'

/** Defines `say`, which announces a text to screen readers, wherever the focus is. */
const say_script = `
const status = document.createElement('p')
status.className = 'unseen'
status.setAttribute('role', 'status')
document.body.append(status)
const say = (text) => { status.textContent = text }
`

/**
 * The script of payment forms as it is written. Pages contain its minified copy in `minified-scripts.json`. The
 * script around it defines `texts`, `notices`, `firstMonth` and `triesBefore`.
 */
export const payment_form_script_source = `(() => {${[
  say_script,
  card_rules_script,
  card_typing_script,
  card_faults_script,
  send_script,
  send_checks_script,
].join('')}begin()
focusOn(null)
})()
`
