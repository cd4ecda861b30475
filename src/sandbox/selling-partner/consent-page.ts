import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Store, Login, Seller } from '../core/model/store.ts'
import { escapeHtml, page } from '../core/html-page.ts'

/** What the form sends for one choice. */
export const accountValue = (login: Login, seller: Seller): string => `${login.email}|${seller.sellerId}`

const countriesOf = (seller: Seller): string =>
  seller.marketplaceIds.map(id => marketplaceByAmazonId(id)?.name ?? id).join(', ')

const choice = (login: Login, seller: Seller, checked: boolean): string =>
  `<label><input type="radio" name="account" value="${escapeHtml(accountValue(login, seller))}"${checked ? ' checked' : ''}> ${escapeHtml(seller.name)} (${escapeHtml(countriesOf(seller))})</label>`

/** The seller's consent: which account, and yes or no. `fields` are carried to the answer. */
export const consentPage = (store: Store, fields: Record<string, string>): string => {
  const groups = store.logins.map((login, i) => {
    const sellers = login.sellerIds.flatMap(id => store.sellers.get(id) ?? [])
    return `<fieldset><legend>${escapeHtml(login.name)} (${escapeHtml(login.email)})</legend>
${sellers.map((seller, j) => choice(login, seller, i === 0 && j === 0)).join('\n')}
</fieldset>`
  })
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return page(
    'Authorize application',
    `<p>An application asks for access to your selling account: your listings, stock and sales. This is the emulated marketplace: no password is needed.</p>
<form method="post" action="/sellercentral/apps/authorize/consent">
${hidden.join('\n')}
<h2>Which account?</h2>
${groups.join('\n')}
<button name="answer" value="allow">Allow</button>
<button name="answer" value="refuse">Refuse</button>
</form>`,
  )
}

/** What a seller sees when the application's request is wrong; there is no way back, for the address may be anybody's. */
export const consentErrorPage = (code: string, message: string): string =>
  page(
    'We’re sorry, we’ve encountered an error',
    `<p>${escapeHtml(message)}</p><p>Error code: <strong>${escapeHtml(code)}</strong></p>`,
  )
