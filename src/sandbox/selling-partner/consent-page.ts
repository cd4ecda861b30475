import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { type Html, hiddenFields, html, page } from '../core/html.ts'
import type { Login, Seller, Store } from '../core/model/store.ts'

/** What the form sends for one account. */
export const accountValue = (login: Login, seller: Seller): string => `${login.email}|${seller.sellerId}`

function accountOption(login: Login, seller: Seller, isChecked: boolean): Html {
  const countries = seller.marketplaceIds.map(id => marketplaceByAmazonId(id)?.name ?? id).join(', ')
  return html`<label><input type="radio" name="account" value="${accountValue(login, seller)}"${isChecked && ' checked'}> ${seller.name} (${countries})</label>`
}

/** The seller's consent page: choose an account, then allow or refuse. `fields` are sent with the answer. */
export function consentPage(store: Store, fields: Record<string, string>): Html {
  const accounts = store.logins.map((login, i) => {
    const sellers = login.sellerIds.flatMap(id => store.sellers.get(id) ?? [])
    return html`<fieldset><legend>${login.name} (${login.email})</legend>
${sellers.map((seller, j) => accountOption(login, seller, i === 0 && j === 0))}
</fieldset>`
  })
  return page(
    'Authorize application',
    html`<p>An application asks for access to your selling account: your listings, stock and sales. This is the emulated marketplace: no password is needed.</p>
<form method="post" action="/sellercentral/apps/authorize/consent">
${hiddenFields(fields)}
<h2>Which account?</h2>
${accounts}
<button name="answer" value="allow">Allow</button>
<button name="answer" value="refuse">Refuse</button>
</form>`,
  )
}

/** The page for a wrong request of the application. It does not redirect, because the address may be anybody's. */
export function consentErrorPage(code: string, message: string): Html {
  return page(
    'We’re sorry, we’ve encountered an error',
    html`<p>${message}</p><p>Error code: <strong>${code}</strong></p>`,
  )
}
