import { fromEnv } from '@aws-sdk/credential-provider-env'

/**
 * The credentials of a Lambda function, which Lambda passes in the environment. In the bundles, this file takes the
 * place of `@aws-sdk/credential-provider-node`, which also looks for credentials in places that only other machines have.
 */
export const defaultProvider = fromEnv
