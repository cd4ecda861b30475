import { type Html, hiddenFields, html, page } from '../core/html.ts'
import type { Login } from '../core/model/store.ts'

/** The consent page: choose who you are, then allow or refuse. `fields` are sent with the answer. */
export function authorizePage(logins: readonly Login[], scope: string, fields: Record<string, string>): Html {
  return page(
    'Sign in and allow access',
    html`<p>An application asks for access to your advertising accounts (<code>${scope}</code>). This is the emulated marketplace: no password is needed.</p>
<form method="post" action="/lwa/ap/oa">
${hiddenFields(fields)}
<fieldset><legend>Sign in as</legend>
${logins.map(
  ({ email, name }, i) =>
    html`<label><input type="radio" name="login" value="${email}"${i === 0 && ' checked'}> ${name} (${email})</label>`,
)}
</fieldset>
<button name="answer" value="allow">Allow</button>
<button name="answer" value="refuse">Refuse</button>
</form>`,
  )
}

/** The page for a wrong request of the application. It does not redirect, because the address may be anybody's. */
export function authorizeErrorPage(message: string): Html {
  return page("We're sorry, an error occurred", html`<p>Error Summary</p><p>400 Bad Request</p><p>${message}</p>`)
}
