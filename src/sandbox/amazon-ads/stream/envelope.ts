import { randomUUID } from 'node:crypto'

export function topicArn(dataset: string, region: string): string {
  const places: Record<string, string> = { NA: 'us-east-1', EU: 'eu-west-1', FE: 'us-west-2' }
  return `arn:aws:sns:${places[region] ?? 'us-east-1'}:906013806264:${dataset}`
}

/** The message that carries one record, as a topic writes it into a queue; it is signed when it is handed out. */
export function notification(arn: string, record: object, now: Date): string {
  return JSON.stringify({
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: arn,
    Message: JSON.stringify(record),
    Timestamp: now.toISOString(),
    UnsubscribeURL: `https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=${arn}`,
  })
}

/** The first message of a subscription: nothing follows until its link was opened. */
export const confirmation = (arn: string, token: string, publicUrl: string, now: Date): string =>
  JSON.stringify({
    Type: 'SubscriptionConfirmation',
    MessageId: randomUUID(),
    Token: token,
    TopicArn: arn,
    Message: `You have chosen to subscribe to the topic ${arn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
    SubscribeURL: `${publicUrl}/sqs/confirm?${new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: arn, Token: token })}`,
    Timestamp: now.toISOString(),
  })
