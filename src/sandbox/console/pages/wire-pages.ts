import { faultKinds, type FaultMatch } from '../../core/faults.ts'
import type { World } from '../../core/world.ts'
import { escapeHtml } from '../../core/html-page.ts'
import { layout } from '../layout.ts'
import { pageLinks, pageOf } from '../paging.ts'
import { table, text } from '../table.ts'

/** Vendors whose requests can be asked for; the first folder of their addresses. */
export const vendors = ['ads', 'sp', 'lwa', 'sellercentral', 'sqs', 's3', 'ecb'] as const

const select = (name: string, label: string, values: readonly string[], chosen = ''): string =>
  `<label for="${name}">${label}</label><select id="${name}" name="${name}">${values
    .map(value => `<option value="${value}"${value === chosen ? ' selected' : ''}>${value || 'all'}</option>`)
    .join('')}</select>`

/** Requests received, newest first, with what became of them. */
export const requestsPage = (world: World, query: { vendor?: string; page?: string }): string => {
  const vendor = vendors.find(one => one === query.vendor) ?? ''
  const heard = world.journal.list(vendor ? { vendor } : {}).filter(entry => entry.vendor !== 'console')
  const page = pageOf(heard.reverse(), query.page)
  const addressOf = (number: number): string => `/console/requests?vendor=${vendor}&page=${number}`
  const rows = page.items.map(({ at, method, path, query: asked, status, fault, body }) => ({
    testId: 'request',
    cells: [
      text(at.slice(0, 19).replace('T', ' ')),
      text(`${method} ${path}${asked ? `?${asked}` : ''}`, { long: true }),
      text(status ?? 'unanswered', { testId: 'status' }),
      text(fault ?? ''),
      text(body.length > 200 ? `${body.slice(0, 200)} … (${body.length} characters)` : body, { long: true }),
    ],
  }))
  return layout(
    { title: 'Requests received', now: world.clock.now(), here: '/console/requests' },
    `<form method="get" action="/console/requests">${select('vendor', 'Vendor', ['', ...vendors], vendor)}<button>Show</button></form>
${pageLinks(page, addressOf)}${table('Requests', ['World time', 'Request', 'Status', 'Fault', 'Body'], rows)}`,
  )
}

const whereOf = ({ vendor, region, method, path }: FaultMatch): string =>
  [vendor, region, method, path ?? 'every path'].filter(Boolean).join(' ')

/** Faults that are set, and a form to set one. */
export const faultsPage = (world: World): string => {
  const rows = world.faults.list().map(fault => ({
    testId: 'fault',
    cells: [text(fault.kind), text(whereOf(fault.match)), text(fault.times), text(fault.skip)],
  }))
  return layout(
    { title: 'Faults', now: world.clock.now(), here: '/console/faults' },
    `<h2>Set</h2>${table('Faults that are set', ['Kind', 'Meets', 'More times', 'After'], rows)}
${rows.length > 0 ? '<form method="post" action="/console/faults"><button name="clear" value="yes">Clear all</button></form>' : ''}
<h2>Set another</h2><form class="stack" method="post" action="/console/faults">${select('kind', 'Kind', faultKinds)}${select('vendor', 'Vendor', vendors)}
<label for="path">Path</label><input class="long" type="text" id="path" name="path" placeholder="every path; * stands for anything">
<label for="times">Times</label><input type="text" inputmode="numeric" id="times" name="times" value="1"><button>Set</button></form>
<p class="quiet">More can be said by <code>${escapeHtml('POST /control/faults')}</code>: waiting times, statuses, items.</p>`,
  )
}
