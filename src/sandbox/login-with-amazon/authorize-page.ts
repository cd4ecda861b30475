import type { Login } from '../core/model/store.ts'
import { escapeHtml, page } from '../core/html-page.ts'

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`

/** The consent page: who are you, and do you allow it. `fields` are carried to the answer. */
export const authorizePage = (logins: readonly Login[], scope: string, fields: Record<string, string>): string =>
  page(
    'Sign in and allow access',
    `<p>An application asks for access to your advertising accounts (<code>${escapeHtml(scope)}</code>). This is the emulated marketplace: no password is needed.</p>
<form method="post" action="/lwa/ap/oa">
${Object.entries(fields)
  .map(([name, value]) => hidden(name, value))
  .join('\n')}
<fieldset><legend>Sign in as</legend>
${logins
  .map(
    (login, i) =>
      `<label><input type="radio" name="login" value="${escapeHtml(login.email)}"${i === 0 ? ' checked' : ''}> ${escapeHtml(login.name)} (${escapeHtml(login.email)})</label>`,
  )
  .join('\n')}
</fieldset>
<button name="answer" value="allow">Allow</button>
<button name="answer" value="refuse">Refuse</button>
</form>`,
  )

/** What a person sees when the application's own request is wrong: no redirect, for it may lead anywhere. */
export const authorizeErrorPage = (message: string): string =>
  page("We're sorry, an error occurred", `<p>Error Summary</p><p>400 Bad Request</p><p>${escapeHtml(message)}</p>`)
