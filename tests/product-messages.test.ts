import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/**
 * The error catalogue of the specification, word for word; what stands in braces differs from time to time. When each of them
 * appears is proven next to the code that shows it; here, that none was reworded or lost.
 */
const messages = [
  'Not Found',
  'Something went wrong!',
  'Failed to load plans',
  'Failed to fetch subscription plans',
  'Failed to load subscription',
  'Failed to fetch current subscription',
  'Subscription canceled',
  'Subscription will be canceled at the end of the current period',
  'Subscription has been canceled immediately',
  'Cancellation failed',
  'Failed to cancel subscription',
  'Failed to load ad spend summary',
  'Failed to fetch ad spend summary',
  'Billing triggered',
  'Ad spend billing has been triggered successfully.',
  'Billing trigger failed',
  'Failed to trigger billing',
  'Failed to fetch user',
  'Failed to fetch user info',
  'Now managing user',
  'Acting on behalf of {name} ({email})',
  'Failed to manage user',
  'Unable to start managing the selected user. Please try again.',
  'Stopped managing user',
  'You are now back to your own context.',
  'Failed to stop managing user',
  'Unable to clear the managed user. Please try again.',
  'Failed to fetch users',
  'Failed to set managed user',
  'Failed to clear managed user',
  'Failed to fetch current managed user',
  'Failed to fetch impersonation status',
  'Failed to search users',
  'Failed to fetch seeding status',
  'Failed to fetch merchants',
  'Failed to update current merchant',
  'Failed to fetch current merchant',
  'Failed to fetch current marketplace',
  'Invalid users list response',
  'Invalid user response',
  'Invalid user short response',
  'Invalid impersonation status response',
  'Invalid users search response',
  'Invalid merchants response',
  'Invalid current marketplace response',
  'Invalid inventory response',
  'API returned error: {text}',
  'Fetch failed',
  'Failed to fetch category, keyword or product recommendations',
  'Product Not Eligible',
  'This product is not eligible for Sponsored Products campaigns.',
  'Product Limit Reached',
  'ASIN Already Selected',
  'Configuration Required',
  'Campaign created successfully!',
  'Failed to create campaign. Please try again.',
  'Template and strategy are required',
  'Failed to fetch inventory',
  'Failed to update product COGS',
  'Failed to create campaign',
  'Failed to update campaign',
  'Failed to fetch campaign',
  'Failed to update target',
  'Failed to create negative keyword',
  'Failed to create negative target',
  'Failed to create Sponsored Brands negative keyword',
  'Failed to create Sponsored Brands negative target',
  'Failed to stop optimization',
]

/** As it stands in the source: quoted or between tags, with an expression in the place of what is in braces. */
function inSource(message: string): RegExp {
  const escaped = message.replaceAll(/[.()?+*[\]]/g, '\\$&').replaceAll(/\{\w+\}/g, String.raw`\$\{.+?\}`)
  return new RegExp(`(['"\`>]|^\\s*)${escaped}(['"\`<]|\\s*$)`, 'm')
}

test('every message of the error catalogue is in the product word for word', () => {
  const files = execFileSync(
    'git',
    ['ls-files', 'src/client', 'src/features', 'src/main', 'src/server', 'src/shared'],
    {
      encoding: 'utf8',
    },
  )
  const production = files.split('\n').filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  const source = production.map(path => readFileSync(path, 'utf8')).join('\n')
  expect(messages.filter(message => !inSource(message).test(source))).toEqual([])
})
