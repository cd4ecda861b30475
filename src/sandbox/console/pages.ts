import type { Campaign, Expression, Profile } from '../core/model.ts'
import type { World } from '../core/world.ts'
import { escapeHtml } from '../core/html-page.ts'
import { entitiesOf } from './console-change.ts'
import { figuresOf } from './figures.ts'
import { amount, amountForm, figureCells, figureHeads, layout, stateForm, table } from './layout.ts'

/** All sellers, their profiles with figures, and who may sign in. */
export const accountsPage = (world: World): string => {
  const { books } = world
  const rows = [...books.profiles.values()].map(profile => {
    const seller = books.sellers.get(profile.sellerId)
    const campaigns = [...books.campaigns.values()].filter(one => one.profileId === profile.profileId)
    return `<tr data-testid="profile" data-profile-id="${profile.profileId}"><td><a href="/console/profiles/${profile.profileId}">${escapeHtml(seller?.name ?? profile.sellerId)}</a><br>${escapeHtml(profile.sellerId)}</td><td>${profile.region} ${profile.countryCode}</td><td>${profile.profileId}</td><td class="number" data-testid="campaign-count">${campaigns.length}</td>${figureCells(figuresOf(world, profile, 7).get(''), profile.currency)}</tr>`
  })
  const withProfile = new Set([...books.profiles.values()].map(profile => profile.sellerId))
  const others = [...books.sellers.values()].filter(seller => !withProfile.has(seller.sellerId))
  const logins = books.logins.map(
    login =>
      `<tr><td>${escapeHtml(login.name)}</td><td>${escapeHtml(login.email)}</td><td>${login.sellerIds.map(escapeHtml).join(', ')}</td></tr>`,
  )
  return layout(
    'Accounts',
    world.clock.now(),
    `<h2>Advertising profiles</h2>${table(['Seller', 'Where', 'Profile', 'Campaigns', ...figureHeads(7)], rows)}
<h2>Sellers without advertising</h2><ul>${others.map(seller => `<li>${escapeHtml(seller.name)} (${escapeHtml(seller.sellerId)}, ${seller.region})</li>`).join('') || '<li>None.</li>'}</ul>
<h2>Log-ins</h2>${table(['Name', 'E-mail', 'Sellers'], logins)}`,
  )
}

/** The campaigns of one profile, newest first. */
export const profilePage = (world: World, profile: Profile): string => {
  const [week, month] = [figuresOf(world, profile, 7), figuresOf(world, profile, 30)]
  const back = `/console/profiles/${profile.profileId}`
  const rows = [...world.books.campaigns.values()]
    .filter(campaign => campaign.profileId === profile.profileId)
    .sort((a, b) => b.createdAt - a.createdAt)
    .map(campaign => {
      const action = { entity: 'campaign', id: campaign.campaignId, back }
      return `<tr data-testid="campaign" data-campaign-id="${campaign.campaignId}" data-name="${escapeHtml(campaign.name)}"><td><a href="/console/campaigns/${campaign.campaignId}">${escapeHtml(campaign.name)}</a></td><td data-testid="state">${campaign.state}</td><td>${campaign.targetingType}</td><td class="number" data-testid="budget">${amount(campaign.budgetMicros, profile.currency)}</td>${figureCells(week.get(campaign.campaignId), profile.currency)}${figureCells(month.get(campaign.campaignId), profile.currency)}<td>${stateForm(action, campaign.state)}</td></tr>`
    })
  const seller = world.books.sellers.get(profile.sellerId)
  return layout(
    `${seller?.name ?? profile.sellerId}, ${profile.countryCode}`,
    world.clock.now(),
    `<p>Profile ${profile.profileId}, ${profile.currency}, ${profile.timezone}. Figures by 7-day attribution.</p>
${table(['Campaign', 'State', 'Targeting', 'Daily budget', ...figureHeads(7), ...figureHeads(30), 'Change'], rows)}`,
  )
}

const textOf = (expression: readonly Expression[]): string =>
  expression.map(({ type, value }) => (value ? `${type}=${value}` : type)).join(' ')

const bidText = (micros: number | null, currency: string): string =>
  micros === null ? 'default' : amount(micros, currency)

const groupSections = (world: World, campaign: Campaign, currency: string): string => {
  const held = entitiesOf(world.books, campaign.campaignId)
  const back = `/console/campaigns/${campaign.campaignId}`
  const groupName = new Map(held.adGroups.map(group => [group.adGroupId, group.name]))
  const inGroup = (id: string | null): string =>
    `<td>${escapeHtml(id === null ? 'campaign' : (groupName.get(id) ?? id))}</td>`
  const groups = held.adGroups.map(group => {
    const action = { entity: 'adGroup', id: group.adGroupId, back }
    return `<tr data-testid="ad-group" data-name="${escapeHtml(group.name)}"><td>${escapeHtml(group.name)}</td><td data-testid="state">${group.state}</td><td class="number" data-testid="bid">${amount(group.defaultBidMicros, currency)}</td><td>${amountForm(action, 'bid', group.defaultBidMicros)}${stateForm(action, group.state)}</td></tr>`
  })
  const ads = held.productAds.map(
    ad =>
      `<tr data-testid="product-ad" data-asin="${escapeHtml(ad.asin)}"><td>${escapeHtml(ad.asin)}</td><td>${escapeHtml(ad.sku ?? '')}</td>${inGroup(ad.adGroupId)}<td data-testid="state">${ad.state}</td><td>${stateForm({ entity: 'productAd', id: ad.adId, back }, ad.state)}</td></tr>`,
  )
  const keywords = held.keywords.map(keyword => {
    const action = { entity: 'keyword', id: keyword.keywordId, back }
    return `<tr data-testid="keyword" data-text="${escapeHtml(keyword.keywordText)}" data-match="${keyword.matchType}"><td data-testid="text">${escapeHtml(keyword.keywordText)}</td><td data-testid="match">${keyword.matchType}</td>${inGroup(keyword.adGroupId)}<td data-testid="state">${keyword.state}</td><td class="number" data-testid="bid">${bidText(keyword.bidMicros, currency)}</td><td>${amountForm(action, 'bid', keyword.bidMicros)}${stateForm(action, keyword.state)}</td></tr>`
  })
  const targets = held.targets.map(target => {
    const action = { entity: 'target', id: target.targetId, back }
    return `<tr data-testid="target" data-expression="${escapeHtml(textOf(target.expression))}"><td data-testid="text">${escapeHtml(textOf(target.expression))}</td>${inGroup(target.adGroupId)}<td data-testid="state">${target.state}</td><td class="number" data-testid="bid">${bidText(target.bidMicros, currency)}</td><td>${amountForm(action, 'bid', target.bidMicros)}${stateForm(action, target.state)}</td></tr>`
  })
  const negatives = [
    ...held.negativeKeywords.map(
      one =>
        `<tr data-testid="negative-keyword" data-text="${escapeHtml(one.keywordText)}" data-match="${one.matchType}"><td>${escapeHtml(one.keywordText)}</td><td>${one.matchType}</td>${inGroup(one.adGroupId)}<td data-testid="state">${one.state}</td></tr>`,
    ),
    ...held.negativeTargets.map(
      one =>
        `<tr data-testid="negative-target"><td>${escapeHtml(textOf(one.expression))}</td><td>NEGATIVE TARGET</td>${inGroup(one.adGroupId)}<td data-testid="state">${one.state}</td></tr>`,
    ),
  ]
  return `<h2>Ad groups</h2>${table(['Name', 'State', 'Default bid', 'Change'], groups)}
<h2>Product ads</h2>${table(['ASIN', 'SKU', 'Ad group', 'State', 'Change'], ads)}
<h2>Keywords</h2>${table(['Keyword', 'Match', 'Ad group', 'State', 'Bid', 'Change'], keywords)}
<h2>Targets</h2>${table(['Target', 'Ad group', 'State', 'Bid', 'Change'], targets)}
<h2>Negatives</h2>${table(['Text', 'Kind', 'Where', 'State'], negatives)}`
}

/** One campaign with all that hangs on it. */
export const campaignPage = (world: World, campaign: Campaign, profile: Profile): string => {
  const action = {
    entity: 'campaign',
    id: campaign.campaignId,
    back: `/console/campaigns/${campaign.campaignId}`,
  }
  const spent = world.market().budgetUsage(campaign.campaignId, world.clock.now())
  const placements = campaign.placements.map(({ placement, percentage }) => `${placement} +${percentage} %`).join(', ')
  const rows = [7, 30].map(
    days =>
      `<tr><th scope="row">${days} days</th>${figureCells(figuresOf(world, profile, days).get(campaign.campaignId), profile.currency)}</tr>`,
  )
  return layout(
    campaign.name,
    world.clock.now(),
    `<p><a href="/console/profiles/${profile.profileId}">Campaigns of profile ${profile.profileId}</a></p>
<dl><dt>Id</dt><dd data-testid="campaign-id">${campaign.campaignId}</dd><dt>State</dt><dd data-testid="campaign-state">${campaign.state}</dd>
<dt>Targeting</dt><dd>${campaign.targetingType}</dd><dt>Daily budget</dt><dd data-testid="campaign-budget">${amount(campaign.budgetMicros, profile.currency)}</dd>
<dt>Spent today</dt><dd>${amount(spent.spentMicros, profile.currency)} (${Math.round(spent.share * 100)} %)</dd>
<dt>Bidding</dt><dd data-testid="campaign-strategy">${campaign.strategy}${placements ? `, ${placements}` : ''}</dd>
<dt>Runs</dt><dd>${campaign.startDate} to ${campaign.endDate ?? 'no end'}</dd></dl>
<div>${amountForm(action, 'budget', campaign.budgetMicros)}${stateForm(action, campaign.state)}</div>
${table(['Last', 'Impr.', 'Clicks', 'Spend', 'Orders', 'Sales'], rows)}
${groupSections(world, campaign, profile.currency)}`,
  )
}
