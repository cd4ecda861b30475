import { type Fault, faultKinds } from '../../core/faults.ts'
import type { World } from '../../core/world.ts'
import { type Html, html } from '../../core/html.ts'
import { layout } from '../layout.ts'
import { cell, pageLinks, pageOf, table } from '../table.ts'

/** Vendors by which requests can be filtered: the first segment of their paths. */
export const vendors = ['ads', 'sp', 'lwa', 'sellercentral', 'sqs', 's3', 'ecb'] as const

function select(name: string, label: string, values: readonly string[], selected = ''): Html {
  const options = values.map(
    value => html`<option value="${value}"${value === selected && ' selected'}>${value || 'all'}</option>`,
  )
  return html`<label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select>`
}

export function requestsPage(world: World, query: { vendor?: string; page?: string }): Html {
  const vendor = vendors.find(one => one === query.vendor) ?? ''
  const received = world.journal.list(vendor ? { vendor } : {}).filter(entry => entry.vendor !== 'console')
  const page = pageOf(received.reverse(), query.page)
  const links = pageLinks(page, number => `/console/requests?vendor=${vendor}&page=${number}`)
  const rows = page.items.map(({ at, method, path, query: parameters, status, fault, body }) => ({
    testId: 'request',
    cells: [
      cell(at.slice(0, 19).replace('T', ' ')),
      cell(`${method} ${path}${parameters ? `?${parameters}` : ''}`, { long: true }),
      cell(status ?? 'unanswered', { testId: 'status' }),
      cell(fault ?? ''),
      cell(body.length > 200 ? `${body.slice(0, 200)} … (${body.length} characters)` : body, { long: true }),
    ],
  }))
  return layout(
    world,
    'Requests received',
    '/console/requests',
    html`<form method="get" action="/console/requests">${select('vendor', 'Vendor', ['', ...vendors], vendor)}<button>Show</button></form>
${links}${table('Requests', ['World time', 'Request', 'Status', 'Fault', 'Body'], rows)}`,
  )
}

const matchText = ({ vendor, region, method, path }: Fault['match']): string =>
  [vendor, region, method, path ?? 'every path'].filter(Boolean).join(' ')

export function faultsPage(world: World): Html {
  const rows = world.faults.list().map(fault => ({
    testId: 'fault',
    cells: [cell(fault.kind), cell(matchText(fault.match)), cell(fault.times), cell(fault.skip)],
  }))
  return layout(
    world,
    'Faults',
    '/console/faults',
    html`<h2>Active</h2>${table('Active faults', ['Kind', 'Requests', 'Times left', 'After'], rows)}
${rows.length > 0 && html`<form method="post" action="/console/faults"><button name="clear" value="yes">Clear all</button></form>`}
<h2>Add a fault</h2><form class="stack" method="post" action="/console/faults">${select('kind', 'Kind', faultKinds)}${select('vendor', 'Vendor', vendors)}
<label for="path">Path</label><input class="long" type="text" id="path" name="path" placeholder="every path; * matches anything">
<label for="times">Times</label><input type="text" inputmode="numeric" id="times" name="times" value="1"><button>Set</button></form>
<p class="quiet"><code>POST /control/faults</code> has more options: delays, statuses, items.</p>`,
  )
}
