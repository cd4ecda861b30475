import { type Html, html } from '../../core/html.ts'
import type { Profile } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { World } from '../../core/world.ts'
import { figuresOf } from '../figures.ts'
import { changeForm } from '../layout.ts'
import { figureCells, figureHeads, layout } from '../layout.ts'
import { cell, type Row, table } from '../table.ts'

const DAYS = 7

function profileRow(world: World, profile: Profile): Row {
  const { store } = world
  const { profileId, sellerId, region, countryCode, currency } = profile
  const [products, ...others] = [store.campaigns, store.brandCampaigns, store.displayCampaigns].map(
    collection => entriesBy<string, unknown>(collection, 'profileId', profileId).size,
  )
  const name = store.sellers.get(sellerId)?.name ?? sellerId
  return {
    testId: 'profile',
    data: { 'profile-id': String(profileId) },
    cells: [
      cell(html`<a dir="auto" href="/console/profiles/${profileId}">${name}</a>`),
      cell(`${region} ${countryCode}`),
      cell(profileId),
      cell(products, { number: true, testId: 'campaign-count' }),
      cell(others.join(' + '), { number: true }),
      ...figureCells(figuresOf(world, profile, DAYS).get(''), currency),
    ],
  }
}

function loginRow(world: World, { name, email, sellerIds }: World['store']['logins'][number]): Row {
  const target = { entity: 'login', id: email, back: '/' }
  const nameOf = (sellerId: string): string => world.store.sellers.get(sellerId)?.name ?? sellerId
  return {
    testId: 'login',
    cells: [
      cell(name),
      cell(email),
      cell(sellerIds.map(nameOf).join(', ') || 'none'),
      cell([
        sellerIds.map(value =>
          changeForm(target, html`<button name="action" value="invite-away">Take ${nameOf(value)} away</button>`, {
            value,
          }),
        ),
        changeForm(target, html`<button name="action" value="revoke">Revoke grants</button>`),
      ]),
    ],
  }
}

export function accountsPage(world: World): Html {
  const { store } = world
  const profiles = [...store.profiles.values()]
  const advertisers = new Set(profiles.map(profile => profile.sellerId))
  const others = [...store.sellers.values()].filter(seller => !advertisers.has(seller.sellerId))
  const heads = ['Seller', 'Where', 'Profile', 'Campaigns', 'Brands + Display', ...figureHeads]
  const profileRows = profiles.map(profile => profileRow(world, profile))
  const loginRows = store.logins.map(login => loginRow(world, login))
  return layout(
    world,
    'Accounts',
    '/',
    html`<p class="quiet">The scenario is ${world.scenario}. Figures are those of Sponsored Products in the last ${DAYS} days, orders within 7 days of the click.</p>
<h2>Advertising profiles</h2>${table('Advertising profiles', heads, profileRows)}
<h2>Sellers without advertising</h2><ul>${others.map(({ name, sellerId, region }) => html`<li>${name} (${sellerId}, ${region})</li>`)}${others.length === 0 && html`<li>None.</li>`}</ul>
<h2>Log-ins</h2>${table('Log-ins', ['Name', 'E-mail', 'Sellers', 'Change'], loginRows)}`,
  )
}
