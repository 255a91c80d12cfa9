# METADATA
# scope: subpackages
# title: Rules
# description: |
#   Every package below this one is a rule. It exports report, and its input has the schema of the input document.
# schemas:
#   - input: schema.input
package forestall.rules
