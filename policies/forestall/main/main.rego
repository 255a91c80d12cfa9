# METADATA
# title: Router
# description: |
#   The findings of all rules, for stock OPA tools:
#   `forestall facts -f pod.yaml | opa eval -b policies -I 'data.forestall.main.report'`.
#   forestall itself asks each rule by its own query, so that one failing rule hides no other.
# schemas:
#   - input: schema.input
package forestall.main

report contains finding if {
	some id
	some finding in data.forestall.rules[id].report
}
