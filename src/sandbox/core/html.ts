import { html as template, raw } from 'hono/html'

/** HTML that is safe to send. `html` inserts it unescaped, and escapes everything else. */
export type Html = ReturnType<typeof raw>
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

/** Null, undefined and false insert nothing; arrays insert their elements. */
// The library's result is a promise only when a value is one, which `HtmlValue` excludes.
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  template(strings, ...values) as Html

/** Text that is HTML, CSS or a script already. */
export const trusted = (text: string): Html => raw(text)

export const hiddenFields = (fields: Record<string, string>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/** The fields of a form or query that are text and occur once. */
export const textFields = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

const style = trusted(`
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 40rem; padding: 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem }
a { color: LinkText } a, pre { overflow-wrap: anywhere } pre { white-space: pre-wrap }
.list { list-style: none; padding: 0 } .list li { padding: .75rem 0; border-bottom: 1px solid GrayText }
label, button { display: block; min-height: 2.75rem } label { display: flex; align-items: center; gap: .75rem }
fieldset { margin: 1rem 0; border: 1px solid GrayText; border-radius: .5rem }
input:not([type=radio]) { flex: 1; min-width: 0; min-height: 2.75rem; font: inherit }
button { width: 100%; margin: .5rem 0; border: 1px solid GrayText; border-radius: .5rem; font: inherit; font-weight: 600 }
iframe { width: 100%; min-height: 24rem; border: 1px solid GrayText; background: #fff }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
`)

/** A complete page of a vendor: plain, readable on a phone, in light and dark, without scripts. */
export function page(title: string, body: HtmlValue): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}

/** A page that asks a person to allow or refuse access. `fields` and one of the choices are sent with the answer. */
export function consentPage(
  title: string,
  question: HtmlValue,
  action: string,
  fields: Record<string, string | undefined>,
  choices: HtmlValue,
): Html {
  return page(
    title,
    html`<p>${question} This is the emulated marketplace: no password is needed.</p>
<form method="post" action="${action}">
${hiddenFields(textFields(fields))}
${choices}
<button name="answer" value="allow">Allow</button>
<button name="answer" value="refuse">Refuse</button>
</form>`,
  )
}
