import { z } from 'zod'

const mails = z.array(z.object({ to: z.union([z.string(), z.array(z.string())]), links: z.array(z.string()) }))

/** Where the emulator is, and the token of its control calls. */
export interface Emulator {
  url: string
  controlToken: string
}

/** The first link of the newest mail to the address that has `part` in it; waits up to 20 seconds for the mail. */
export async function readMail({ url, controlToken }: Emulator, to: string, part: string): Promise<string> {
  for (let i = 0; i < 100; i++) {
    const answer = await fetch(`${url}/control/mail`, { headers: { authorization: `Bearer ${controlToken}` } })
    if (!answer.ok) throw new Error(`The emulator answered ${answer.status}: ${await answer.text()}`)
    const link = mails
      .parse(await answer.json())
      .filter(mail => [mail.to].flat().some(address => address.includes(to)))
      .flatMap(mail => mail.links)
      .find(candidate => candidate.includes(part))
    if (link) return link
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error(`No mail to ${to} with a link to ${part} arrived.`)
}

/** Makes a control call of the emulator. Rejects with its answer when it refuses. */
export async function control({ url, controlToken }: Emulator, call: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/control/${call}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}: ${await answer.text()}`)
}

/** Opens a consent page, answers its form with these values and Allow, and returns where it sends the browser back to. */
export async function consentTo(url: string, values: Record<string, string>): Promise<URL> {
  const page = await (await fetch(url)).text()
  const form = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
  if (!form) throw new Error(`${new URL(url).pathname} shows no form.`)
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, unescapeHtml(value)],
  )
  const answer = await fetch(new URL(form, url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams([...hidden, ...Object.entries(values), ['answer', 'allow']]),
  })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`${form} answered ${answer.status} and leads nowhere.`)
  return new URL(location)
}

function unescapeHtml(text: string) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
