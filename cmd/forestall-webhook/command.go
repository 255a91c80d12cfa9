package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/config"
)

const long = `forestall-webhook answers the API server's admission requests on /validate and
/mutate: it refuses pods that would fail, repairs what can be repaired, and says why.

Levels and parameters of rules stand in the configuration file, which is read again
when it changes; one that cannot be used leaves the last good one in force. Flags are
for the process alone. To stop all judging at once, write "mode: off" into the file.

SIGTERM takes the server out of service: it is not ready any more, serves for
--shutdown-delay, finishes what it has begun, and exits with 0.`

const examples = `  # With a CA of its own, which all replicas share through a Secret:
  forestall-webhook --ca-secret=forestall/forestall-webhook-ca \
    --dns-name=forestall-webhook.forestall.svc

  # With a certificate from cert-manager, mounted as files:
  forestall-webhook --tls-cert-file=/certs/tls.crt --tls-key-file=/certs/tls.key

  # On a workstation, against the cluster of a kubeconfig:
  forestall-webhook --kubeconfig=$HOME/.kube/config --config=forestall.yaml \
    --ca-secret=forestall/forestall-webhook-ca --dns-name=localhost \
    --metrics-bind-address=0 --shutdown-delay=0 --log-level=debug`

// serveError is a failure to serve. Every other error is one of usage.
type serveError struct{ error }

func newCommand() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:           "forestall-webhook",
		Short:         "Refuse and repair pods that would fail, and say why",
		Long:          long,
		Example:       examples,
		Args:          cobra.NoArgs,
		Version:       versionLine(buildInfo()),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if _, err := config.Load(o.config); err != nil {
				return err
			}
			if err := serve(cmd.Context(), o, cmd.ErrOrStderr()); err != nil {
				return &serveError{err}
			}
			return nil
		},
	}
	cmd.CompletionOptions.DisableDefaultCmd = true // nobody types into a server
	o.bind(cmd)
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.AddCommand(newVersionCommand())
	cmd.SetHelpCommand(newHelpCommand(cmd))
	return cmd
}

// newHelpCommand is cobra's, but that asking for what does not exist is a mistake.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Help about any command",
		Example: "  forestall-webhook help version",
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("there is no command %q", rest[0])
			}
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  forestall-webhook version",
		Args:    cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintln(cmd.OutOrStdout(), versionLine(buildInfo()))
		},
	}
}
