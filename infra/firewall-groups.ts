/** The groups of AWS's rules, with all of their rules. */
export const managed_groups = [
  {
    name: 'AWSManagedRulesAmazonIpReputationList',
    rules: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList', 'AWSManagedIPDDoSList'],
  },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    rules: [
      ...['NoUserAgent_HEADER', 'UserAgent_BadBots_HEADER'],
      ...['QUERYSTRING', 'Cookie_HEADER', 'BODY', 'URIPATH'].map((part) => `SizeRestrictions_${part}`),
      ...['BODY', 'COOKIE', 'URIPATH', 'QUERYARGUMENTS'].map((part) => `EC2MetaDataSSRF_${part}`),
      ...['QUERYARGUMENTS', 'URIPATH', 'BODY'].flatMap((part) => [`GenericLFI_${part}`, `GenericRFI_${part}`]),
      ...['URIPATH', 'QUERYARGUMENTS'].map((part) => `RestrictedExtensions_${part}`),
      ...['COOKIE', 'QUERYARGUMENTS', 'BODY', 'URIPATH'].map((part) => `CrossSiteScripting_${part}`),
    ],
  },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
    rules: [
      ...['HEADER', 'BODY', 'URIPATH', 'QUERYSTRING'].flatMap((part) => [
        `JavaDeserializationRCE_${part}`,
        `Log4JRCE_${part}`,
      ]),
      ...['Host_localhost_HEADER', 'PROPFIND_METHOD', 'ExploitablePaths_URIPATH', 'ReactJSRCE_BODY'],
    ],
  },
]

/**
 * The labels that refuse a request: attacks by what stands in its path or its headers, and addresses that are known to
 * attack. Nothing that is found in a body or in a query is among them: what a merchant writes there is theirs to choose.
 */
export const refused_labels = [
  'amazon-ip-list:AWSManagedIPReputationList',
  'core-rule-set:GenericLFI_URIPath',
  'core-rule-set:CrossSiteScripting_URIPath',
  'known-bad-inputs:JavaDeserializationRCE_Header',
  'known-bad-inputs:JavaDeserializationRCE_URIPath',
  'known-bad-inputs:Log4JRCE_Header',
  'known-bad-inputs:Log4JRCE_URIPath',
  'known-bad-inputs:ExploitablePaths_URIPath',
]
