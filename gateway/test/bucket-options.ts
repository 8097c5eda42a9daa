import type { S3StandIn } from '@tollgate/simulator'

/** Options that keep results in the bucket of a stand-in. */
export const bucketOptions = ({ url, bucket, key }: S3StandIn) => ({
  TaskResultStorage: 'bucket',
  TaskBucketEndpoint: url,
  TaskBucketRegion: key.region,
  TaskBucketName: bucket,
  TaskBucketKeyId: key.keyId,
  TaskBucketSecret: key.secret,
})
