package apiserver

import "testing"

func TestAnswersCountsOnlyCallsThatWereAnswered(t *testing.T) {
	const metrics = `# TYPE apiserver_admission_webhook_request_total counter
apiserver_admission_webhook_request_total{code="200",name="validate.example",operation="CREATE",rejected="false",type="validating"} 3
apiserver_admission_webhook_request_total{code="403",name="validate.example",operation="CREATE",rejected="true",type="validating"} 2
apiserver_admission_webhook_request_total{code="200",name="validate.example",operation="UPDATE",rejected="false",type="validating"} 1
apiserver_admission_webhook_request_total{code="404",name="validate.example",operation="CREATE",rejected="false",type="validating"} 10
apiserver_admission_webhook_request_total{code="500",name="validate.example",operation="CREATE",rejected="false",type="validating"} 20
apiserver_admission_webhook_request_total{code="500",name="validate.example",operation="CREATE",rejected="true",type="validating"} 40
apiserver_admission_webhook_request_total{code="200",name="other.example",operation="CREATE",rejected="false",type="admit"} 80
`
	if got, want := answers([]byte(metrics), []string{"validate.example"}), 6; got != want {
		t.Errorf("answers = %d, want %d", got, want)
	}
}
