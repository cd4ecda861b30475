import { AwsV4Signer } from 'aws4fetch'

/** Of a principal that may receive from the queue and delete there. */
export interface QueueCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** The headers of a call to the queue, with a signature version 4 for the queue's own region. */
export const signQueueCall = async (
  call: { url: string; headers: Record<string, string>; body: string },
  queueUrl: string,
  credentials: QueueCredentials,
): Promise<Record<string, string>> => {
  const region = /^sqs\.([a-z0-9-]+)\.amazonaws\.com$/.exec(new URL(queueUrl).hostname)?.[1] ?? 'us-east-1'
  const signer = new AwsV4Signer({ method: 'POST', ...call, ...credentials, service: 'sqs', region })
  const { headers } = await signer.sign()
  return Object.fromEntries(headers)
}
