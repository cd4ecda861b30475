import { entriesBy } from '../../core/store/collections.ts'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { escapeHtml } from '../../core/html-page.ts'
import { figuresOf } from '../figures.ts'
import { inviteAwayForm, revokeForm } from '../forms.ts'
import { figureCells, figureHeads, layout } from '../layout.ts'
import { type Row, table, text } from '../table.ts'

const DAYS = 7

const profileRow = (world: World, profile: Profile): Row => {
  const { store } = world
  const name = store.sellers.get(profile.sellerId)?.name ?? profile.sellerId
  const campaigns = entriesBy(store.campaigns, 'profileId', profile.profileId).size
  const others = [store.brandCampaigns, store.displayCampaigns].map(
    shelf => entriesBy<string, unknown>(shelf, 'profileId', profile.profileId).size,
  )
  return {
    testId: 'profile',
    data: { 'profile-id': String(profile.profileId) },
    cells: [
      { html: `<a dir="auto" href="/console/profiles/${profile.profileId}">${escapeHtml(name)}</a>` },
      text(`${profile.region} ${profile.countryCode}`),
      text(profile.profileId),
      text(campaigns, { number: true, testId: 'campaign-count' }),
      text(others.join(' + '), { number: true }),
      ...figureCells(figuresOf(world, profile, DAYS).get(''), profile.currency),
    ],
  }
}

const loginRow = (world: World, { name, email, sellerIds }: World['store']['logins'][number]): Row => {
  const nameOf = (sellerId: string): string => world.store.sellers.get(sellerId)?.name ?? sellerId
  return {
    testId: 'login',
    cells: [
      text(name),
      text(email),
      text(sellerIds.map(nameOf).join(', ') || 'none'),
      { html: sellerIds.map(id => inviteAwayForm(email, id, nameOf(id))).join('') + revokeForm(email) },
    ],
  }
}

/** All sellers, their profiles with figures, and who may sign in. */
export const accountsPage = (world: World): string => {
  const { store } = world
  const profiles = [...store.profiles.values()]
  const withProfile = new Set(profiles.map(profile => profile.sellerId))
  const others = [...store.sellers.values()].filter(seller => !withProfile.has(seller.sellerId))
  const heads = ['Seller', 'Where', 'Profile', 'Campaigns', 'Brands + Display', ...figureHeads]
  const idle = others.map(({ name, sellerId, region }) => `<li>${escapeHtml(`${name} (${sellerId}, ${region})`)}</li>`)
  return layout(
    { title: 'Accounts', now: world.clock.now(), here: '/' },
    `<p class="quiet">The scenario is ${escapeHtml(world.scenario)}. Figures are those of Sponsored Products in the last ${DAYS} days, orders within 7 days of the click.</p>
<h2>Advertising profiles</h2>${table(
      'Advertising profiles',
      heads,
      profiles.map(profile => profileRow(world, profile)),
    )}
<h2>Sellers without advertising</h2><ul>${idle.join('') || '<li>None.</li>'}</ul>
<h2>Log-ins</h2>${table(
      'Log-ins',
      ['Name', 'E-mail', 'Sellers', 'Change'],
      store.logins.map(login => loginRow(world, login)),
    )}`,
  )
}
